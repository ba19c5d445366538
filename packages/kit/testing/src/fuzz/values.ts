import { contractAjv, isObject, type JsonObject } from '@contract-kit/core/json';
import {
  componentId,
  componentsById,
  decidedComponents,
  decidedIn,
  type Schemas,
} from '@contract-kit/core/model';
import { choicesFrom, makeValue, valuesIn, type Values, type WithExamples } from '@contract-kit/core/values';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import fc, { type Arbitrary } from 'fast-check';
import { memoize } from '@contract-kit/server/internals';

/** Failures shrink towards the first alternative. */
export const SIMPLEST_FIRST = { withCrossShrink: true };

/** What values are made with: once for all operations of a contract. */
export interface Making {
  readonly schemas: Schemas;
  readonly fits: Fits;
  /** The values that samples are made of: those of the author first. */
  readonly values: Values;
}

export function makingOf(schemas: Schemas): Making {
  return { schemas, fits: createFits(schemas), values: valuesIn({ schemas }) };
}

/** The choices of a value. Failures shrink towards fewer and smaller numbers, which stand for a simpler value. */
const CHOICES = fc.noBias(fc.array(fc.nat({ max: 2 ** 31 - 1 }), { maxLength: 120, size: 'max' }));
/** How many values are made until one fits. */
const MOST_TRIED = 4;

/** Values that the place of `part` carries, nearly all valid; `fits` decides. If none can be made, they are its samples. */
export function fittingValues(part: WithExamples, { schemas, fits, values }: Making): Arbitrary<unknown> {
  const schema = (part.schema ?? {}) as JsonObject;
  const samples = memoize((part: WithExamples) => [...values.all('sent', part)]);
  return CHOICES.map((numbers) => {
    let made: unknown;
    for (let tried = 0; tried < MOST_TRIED; tried += 1) {
      const choices = choicesFrom(numbers.slice(tried));
      made = makeValue(schemas, part, { choices, ignoresShown: true }).value;
      if (made !== undefined && fits(schema, made)) return made;
    }
    const all = samples(part);
    return all[(numbers[0] ?? 0) % all.length] ?? made ?? null;
  });
}

/** Any character. fast-check's unit `binary` lists a million of them first, for more than a second. */
export const CHARACTER = fc
  .nat({ max: 0x10_f7ff })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

const CONSTRAINTS = ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'format', 'required', 'enum'];

/** Arbitrary values, including nearly valid ones. */
export function anyValues(schema: JsonObject, making: Making): Arbitrary<unknown> {
  const fitting = fittingValues({ schema }, making);
  const dented = fc.tuple(fitting, fc.nat(), fc.jsonValue({ maxDepth: 1 })).map(([value, index, junk]) => {
    const keys = isObject(value) ? Object.keys(value) : [];
    if (keys.length === 0) return junk;
    const key = keys[index % keys.length] ?? '';
    return index % 3 === 0 ? without(value as JsonObject, [key]) : { ...(value as JsonObject), [key]: junk };
  });
  const unconstrained = fittingValues({ schema: without(schema, CONSTRAINTS) }, making);
  return fc.oneof(fc.jsonValue({ maxDepth: 2 }), unconstrained, dented);
}

/**
 * `value` with one text or list of the maximum length: a pattern may take long for the text, and
 * `uniqueItems` for the list.
 */
export function swollen(value: unknown, at: number): unknown {
  if (typeof value === 'string') return `${(value || 'a').repeat(3_000).slice(0, 60_000)}\0`;
  if (Array.isArray(value)) {
    const item = JSON.stringify(value[0] ?? '').length + 10;
    return Array.from({ length: Math.min(4_000, 80_000 / item) }, (_, index) =>
      isObject(value[0]) ? { ...value[0], '': index } : typeof value[0] === 'number' ? index : `${index}`,
    );
  }
  if (!isObject(value)) return value;
  const keys = Object.keys(value).filter(
    (key) => typeof value[key] === 'string' || Object(value[key]) === value[key],
  );
  const key = keys[at % keys.length];
  return key === undefined ? value : { ...value, [key]: swollen(value[key], at) };
}

function without(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** Whether a JSON value satisfies `schema`. int64 is any integer here; its range is checked in texts. */
export type Fits = (schema: JsonObject, value: unknown) => boolean;

const MOST_KEPT = 200;

function createFits(schemas: Schemas): Fits {
  // As the server does: a discriminator decides.
  const ajv = contractAjv({}, componentsById(decidedComponents('sent', schemas).schemas));
  ajv.addFormat('int64', true);
  const refer = (reference: string) => componentId(reference);
  // One operation is tried after another: what is not asked for again may go.
  const compiled = new Map<JsonObject, ValidateFunction>();
  return (schema, value) => {
    const known = compiled.get(schema);
    if (known) return known(value);
    if (compiled.size >= MOST_KEPT) compiled.clear();
    const decided = decidedIn('sent', schema, schemas, refer) as JsonObject;
    const validate = ajv.compile(decided);
    ajv.removeSchema(decided);
    compiled.set(schema, validate);
    return validate(value);
  };
}

/** Whether all integers in `value` are within ±(2^53−1): others are rejected in all bodies. */
export function hasExactNumbers(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasExactNumbers);
}
