import { objectAt, schemasOf } from '@contract-kit/core/model';
import { isObject, type JsonObject } from '@contract-kit/core/json-pointer';
import { withSubschemas } from '@contract-kit/core/model';
import { contractAjv } from '@contract-kit/core/contract-ajv';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import fc, { type Arbitrary } from 'fast-check';
import { generateSync, type JsonSchema, type Random } from 'json-schema-faker';
import { memoize } from '../../memoize.ts';

/** Failures shrink towards the first alternative. */
export const SIMPLEST_FIRST = { withCrossShrink: true };

/** How deep json-schema-faker goes: shallow first, so that recursive schemas have small values. */
const DEPTHS = [
  { maxDepth: 4, refDepthMax: 3 },
  { maxDepth: 12, refDepthMax: 8 },
];

const anyTime = (random: Random) => new Date(random.int(0, 4e12)).toISOString();

/** Formats that json-schema-faker does not know. */
const FORMATS: Readonly<Record<string, (random: Random) => string>> = {
  url: (random) => `https://example.com/${random.int(0, 1e6)}`,
  byte: (random) => Buffer.from(`${random.int(0, 1e6)}`).toString('base64'),
  'iso-date-time': anyTime,
  'iso-time': (random) => anyTime(random).replace(/^.*T/, ''),
  'json-pointer-uri-fragment': (random) => `#/${random.int(0, 1e6)}`,
};

/**
 * Values, nearly all valid for `schema`; `fits` decides. Integers and plain texts shrink;
 * json-schema-faker generates the rest from a seed.
 */
export function fittingValues(schema: JsonObject, document: JsonObject): Arbitrary<unknown> {
  if (schema['type'] === 'integer' && !('enum' in schema || 'const' in schema)) return integers(schema);
  if (isPlainText(schema)) return texts(schema);
  // A schema that is shortened alone may contradict what is next to its reference.
  const attempts = [shortened, asItIs].flatMap((limit) => {
    const sent = sendable(schema, limit) as JsonSchema;
    const refResolver = ($ref: string) =>
      sendable(schemasOf(document).resolve({ $ref }), limit) as JsonSchema;
    return DEPTHS.map((depth) => ({ sent, options: { refResolver, formats: FORMATS, ...depth } }));
  });
  const fits = fitsOf(document);
  return fc.noBias(fc.nat()).map((seed) => {
    let value: unknown = null;
    for (const { sent, options } of attempts) {
      try {
        value = generateSync(sent, { seed, ...options });
        if (fits(schema, value)) return value;
      } catch {
        // It generates nothing for some schemas.
      }
    }
    return value;
  });
}

/** json-schema-faker would generate forbidden properties, and integers that are rejected because they are not exact. */
function sendable(schema: unknown, limit: Limit, isCombined = false): unknown {
  if (!isObject(schema)) return schema;
  const { MIN_SAFE_INTEGER, MAX_SAFE_INTEGER } = Number;
  const sent: JsonObject = {
    ...withSubschemas(schema, (child, place) => sendable(child, limit, COMBINED.includes(place))),
    ...(Number(schema['minimum']) < MIN_SAFE_INTEGER && { minimum: MIN_SAFE_INTEGER }),
    ...(Number(schema['maximum']) > MAX_SAFE_INTEGER && { maximum: MAX_SAFE_INTEGER }),
    ...(!isCombined && limit(schema)),
  };
  // Without properties, it would take keywords that it does not know, such as `example`, for fields.
  if (!('properties' in schema)) return schema['type'] === 'object' ? { ...sent, properties: {} } : sent;
  const shown = Object.entries(objectAt(sent, 'properties')).filter(([, property]) => property !== false);
  return { ...sent, properties: Object.fromEntries(shown) };
}

/** Keywords whose schemas could contradict others if they were changed alone. */
const COMBINED = ['allOf', 'not', 'if', 'then', 'else', 'contains'];

/** Keywords to replace in a schema. */
type Limit = (schema: JsonObject) => JsonObject;

const asItIs: Limit = () => ({});

/** json-schema-faker would make texts and lists of any length that is allowed. */
const shortened: Limit = (schema) => ({
  ...(!hasForm(schema) && atMost(schema, 'Length', 30)),
  ...atMost(schema, 'Items', 6),
});

/** The maximum of a size that is at most `more` above its minimum. */
function atMost(schema: JsonObject, size: 'Length' | 'Items', more: number): JsonObject {
  const most = Number(schema[`min${size}`] ?? 0) + more;
  return Number(schema[`max${size}`]) > most ? { [`max${size}`]: most } : {};
}

const hasForm = (schema: JsonObject) =>
  ['format', 'pattern', 'enum', 'const'].some((keyword) => keyword in schema);

const isPlainText = (schema: JsonObject) => schema['type'] === 'string' && !hasForm(schema);

/** Any character. fast-check's unit `binary` lists a million of them first, for more than a second. */
export const CHARACTER = fc
  .nat({ max: 0x10_f7ff })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

function texts({ minLength: least = 0, maxLength: most = Infinity }: JsonObject): Arbitrary<string> {
  const [minLength, maxLength] = [Number(least), Math.min(Number(most), Number(least) + 30)];
  const plain = (unit: Arbitrary<string> | 'grapheme-ascii') => fc.string({ minLength, maxLength, unit });
  return fc.oneof(plain(CHARACTER), plain('grapheme-ascii'));
}

function integers(schema: JsonObject): Arbitrary<number> {
  const [least, most] =
    schema['format'] === 'int32'
      ? [-(2 ** 31), 2 ** 31 - 1]
      : [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const number = (key: string, fallback: number) => Number(schema[key] ?? fallback);
  const step = Math.max(1, number('multipleOf', 1));
  const above = [number('minimum', least), number('exclusiveMinimum', -Infinity) + 1];
  const below = [number('maximum', most), number('exclusiveMaximum', Infinity) - 1];
  const min = Math.ceil(Math.max(least, ...above) / step);
  const max = Math.floor(Math.min(most, ...below) / step);
  // Small integers are likely to be ids of records.
  const small = fc.integer({ min: Math.max(min, Math.min(1, max)), max: Math.min(max, Math.max(40, min)) });
  return fc
    .oneof(SIMPLEST_FIRST, small, fc.constantFrom(min, max), fc.integer({ min, max }))
    .map((value) => value * step);
}

const CONSTRAINTS = ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'format', 'required', 'enum'];

/** Arbitrary values, including nearly valid ones. */
export function anyValues(schema: JsonObject, document: JsonObject): Arbitrary<unknown> {
  const fitting = fittingValues(schema, document);
  const dented = fc.tuple(fitting, fc.nat(), fc.jsonValue({ maxDepth: 1 })).map(([value, index, junk]) => {
    const keys = isObject(value) ? Object.keys(value) : [];
    if (keys.length === 0) return junk;
    const key = keys[index % keys.length] ?? '';
    return index % 3 === 0 ? without(value as JsonObject, [key]) : { ...(value as JsonObject), [key]: junk };
  });
  const unconstrained = fittingValues(without(schema, CONSTRAINTS), document);
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

export const fitsOf = memoize(createFits);

function createFits(document: JsonObject): Fits {
  const ajv = contractAjv().addFormat('int64', true);
  const compiled = new Map<JsonObject, ValidateFunction>();
  return (schema, value) => {
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components: document['components'] });
    compiled.set(schema, validate);
    return validate(value);
  };
}

/** Whether all integers in `value` are within ±(2^53−1): others are rejected in all bodies. */
export function hasExactNumbers(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasExactNumbers);
}
