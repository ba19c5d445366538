import { errorTexts } from '@contract-kit/core/errors';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { ApiError, invalidRequest, type FoundViolation } from '../http/api-error.ts';

export type { FoundViolation };

/** The most allowed values in a message. */
const MAX_VALUES = 20;

/** The violations that a validator found, the first in the schema first. */
export function violationsIn(errors: readonly ErrorObject[] | null | undefined): FoundViolation[] {
  const kept: ErrorObject[] = [];
  for (const error of errors ?? []) {
    // These say no more than the violation inside them.
    if (error.keyword === 'if' || error.keyword === 'propertyNames') continue;
    // One item of a list is missing, so what is wrong with each of the others says nothing.
    if (error.keyword === 'contains')
      while (kept.at(-1)?.schemaPath.startsWith(`${error.schemaPath}/`)) kept.pop();
    // Which branch was meant is unknown, so what is wrong with each of them says nothing.
    const inner: ErrorObject[] = [];
    if (error.keyword === 'oneOf' || error.keyword === 'anyOf')
      while (isWithin(kept.at(-1), error)) inner.push(kept.pop() as ErrorObject);
    kept.push(eitherMissing(error, inner.reverse()) ?? error);
  }
  // Two parts of a composition may say the same.
  const unique = new Map(kept.map((error) => [`${error.instancePath} ${violationMessage(error)}`, error]));
  return [...unique.values()].map((error) => ({
    pointer: error.instancePath,
    message: violationMessage(error),
  }));
}

/** One violation for a union of which each branch lacks one property, and nothing else is wrong there. */
function eitherMissing(union: ErrorObject, branches: readonly ErrorObject[]): ErrorObject | undefined {
  const places = new Set(branches.map(({ schemaPath }) => schemaPath));
  const isBranch = ({ schemaPath }: ErrorObject) =>
    schemaPath.startsWith(`${union.schemaPath}/`) &&
    /^\/\d+\/required$/.test(schemaPath.slice(union.schemaPath.length));
  // Several branches of `oneOf` may fit.
  const isNone = union.keyword === 'anyOf' || union.params['passingSchemas'] === null;
  if (!isNone || branches.length === 0 || places.size < branches.length || !branches.every(isBranch))
    return undefined;
  const names = branches.map(({ params }) => `'${params['missingProperty'] as string}'`);
  return { ...union, message: `must have required property ${names.join(' or ')}` };
}

const isWithin = (inner: ErrorObject | undefined, outer: ErrorObject) =>
  inner !== undefined && `${inner.instancePath}/`.startsWith(`${outer.instancePath}/`);

function violationMessage({ propertyName, ...error }: ErrorObject): string {
  const message = wordsFor(error);
  return propertyName === undefined ? message : `has a property ${propertyName}, whose name ${message}`;
}

function wordsFor({ keyword, message = 'is invalid', params }: ErrorObject): string {
  if (keyword === 'false schema') return 'is read-only';
  if (params['format'] === 'int64') return 'must be an integer within ±(2^53−1)';
  if (params['format'] === 'int32') return 'must be an integer within ±2^31';
  const { additionalProperty, unevaluatedProperty, allowedValues } = params as Record<string, unknown>;
  const extra = additionalProperty ?? unevaluatedProperty;
  if (typeof extra === 'string') return `${message} (${extra})`;
  if (!Array.isArray(allowedValues) || allowedValues.length > MAX_VALUES) return message;
  return `${message}: ${allowedValues.map(String).join(', ')}`;
}

/** The most violations that a rejection lists. */
const MAX_LISTED = 100;

const UNKNOWN = 'is unknown';

/** What is wrong with query parameters that the operation does not declare. */
export const unknownIn = (names: Iterable<string>): FoundViolation[] =>
  [...names].map((parameter) => ({ parameter, pointer: '', message: UNKNOWN }));

/** The rejection of a request for all that is wrong with its parameters and body. Its message is for people. */
export function rejectionOf(violations: readonly FoundViolation[]): ApiError {
  const [{ parameter = 'body', pointer = '', message = 'is invalid' } = {}, ...rest] = violations;
  // The message is about the first unknown parameter alone.
  const more = rest.filter(({ message }) => message !== UNKNOWN);
  const first =
    message === UNKNOWN ? errorTexts.unknownParameter(parameter) : `${parameter}${pointer} ${message}`;
  const others =
    more.length > 0 ? `, and ${more.length} more ${more.length === 1 ? 'violation' : 'violations'}` : '';
  return invalidRequest(first + others, violations.slice(0, MAX_LISTED));
}

/** The rejection of a request for one parameter. */
export function invalidParameter(parameter: string, message: string): ApiError {
  return rejectionOf([{ parameter, pointer: '', message }]);
}

/** The violations of a rejection. Throws every other error. */
export function violationsOf(error: unknown): readonly FoundViolation[] {
  if (error instanceof ApiError && error.violations.length > 0) return error.violations;
  throw error;
}
