import type { Violation } from '@kit/contract/error-shape';
import type { ErrorObject } from 'ajv/dist/2020.js';

export type { Violation };

/** The most allowed values in a message. */
const MAX_VALUES = 20;

/** The violations that a validator found, the first in the schema first. */
export function violationsIn(errors: readonly ErrorObject[] | null | undefined): Violation[] {
  const kept: ErrorObject[] = [];
  for (const error of errors ?? []) {
    // A conditional says no more than the violation inside it.
    if (error.keyword === 'if') continue;
    // Which branch was meant is unknown, so what is wrong with each of them says nothing.
    if (error.keyword === 'oneOf' || error.keyword === 'anyOf')
      while (kept.at(-1)?.instancePath.startsWith(error.instancePath)) kept.pop();
    kept.push(error);
  }
  // Two parts of a composition may say the same.
  const unique = new Map(kept.map((error) => [`${error.instancePath} ${messageOf(error)}`, error]));
  return [...unique.values()].map((error) => ({ pointer: error.instancePath, message: messageOf(error) }));
}

function messageOf({ keyword, message = 'is invalid', params }: ErrorObject): string {
  if (keyword === 'false schema') return 'is read-only';
  if (params['format'] === 'int64') return 'must be an integer within ±(2^53−1)';
  if (params['format'] === 'int32') return 'must be an integer within ±2^31';
  const { additionalProperty, unevaluatedProperty, allowedValues } = params as Record<string, unknown>;
  const extra = additionalProperty ?? unevaluatedProperty;
  if (typeof extra === 'string') return `${message} (${extra})`;
  if (!Array.isArray(allowedValues) || allowedValues.length > MAX_VALUES) return message;
  return `${message}: ${allowedValues.map(String).join(', ')}`;
}

/** The text for people: the first violation of `name`, and how many more there are. */
export function textOf(name: string, [first, ...more]: readonly Violation[]): string {
  const { pointer = '', message = 'is invalid' } = first ?? {};
  const others =
    more.length > 0 ? `, and ${more.length} more ${more.length === 1 ? 'violation' : 'violations'}` : '';
  return `${name}${pointer} ${message}${others}`;
}
