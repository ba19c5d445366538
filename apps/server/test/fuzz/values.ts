import { dereferenced, objectAt } from '@petstore/contract/described-operation';
import { isObject, type JsonObject } from '@petstore/contract/json-pointer';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc, { type Arbitrary } from 'fast-check';

const MAX_DEPTH = 4;
const MAX_LENGTH = 6;

/** What fails is shrunk towards the first alternative. */
export const SIMPLEST_FIRST = { withCrossShrink: true };

/** Values of which nearly all fit `schema`; whether one really does, `fits` says. */
export function fittingValues(schema: JsonObject, document: JsonObject, depth = 0): Arbitrary<unknown> {
  const inner = (child: unknown) => fittingValues(dereferenced(child, document), document, depth + 1);
  const parts = (key: string) => (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : []);
  if ('const' in schema) return fc.constant(schema['const']);
  if (parts('enum').length > 0) return fc.constantFrom(...parts('enum'));
  // Only what must be there goes on below that.
  if (depth > 2 * MAX_DEPTH) return fc.constant(null);
  const alternatives = [...parts('oneOf'), ...parts('anyOf')];
  if (alternatives.length > 0) return fc.oneof(...alternatives.map(inner));
  const type = schema['type'] ?? typeBySigns(schema);
  if (parts('allOf').length > 0)
    return fc
      .tuple(...[...parts('allOf'), ...(type === undefined ? [] : [without(schema, ['allOf'])])].map(inner))
      .map(merged);
  return fc.oneof(...[type].flat().map((each) => valuesOfType(each, schema, inner, depth >= MAX_DEPTH)));
}

function typeBySigns(schema: JsonObject): string | undefined {
  if ('properties' in schema) return 'object';
  return 'items' in schema ? 'array' : undefined;
}

function merged(values: unknown[]): unknown {
  return values.every(isObject)
    ? Object.assign({}, ...(values as object[]))
    : values.find((value) => value !== null);
}

function valuesOfType(
  type: unknown,
  schema: JsonObject,
  inner: (child: unknown) => Arbitrary<unknown>,
  isDeepest: boolean,
): Arbitrary<unknown> {
  const longest = isDeepest ? 0 : MAX_LENGTH;
  const number = (key: string, fallback: number) => Number(schema[key] ?? fallback);
  switch (type) {
    case 'integer':
      return integers(schema);
    case 'number':
      return fc.double({
        min: number('minimum', number('exclusiveMinimum', -1e6)),
        minExcluded: 'exclusiveMinimum' in schema,
        max: number('maximum', number('exclusiveMaximum', 1e6)),
        maxExcluded: 'exclusiveMaximum' in schema,
        noNaN: true,
      });
    case 'string':
      return strings(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const minLength = number('minItems', 0);
      const lengths = {
        minLength,
        maxLength: Math.min(number('maxItems', Infinity), minLength + longest),
      };
      return schema['uniqueItems'] === true
        ? fc.uniqueArray(inner(schema['items']), { ...lengths, selector: (item) => JSON.stringify(item) })
        : fc.array(inner(schema['items']), lengths);
    }
    case 'object': {
      const required = (schema['required'] ?? []) as readonly string[];
      const properties = Object.entries(objectAt(schema, 'properties')).filter(
        ([name, child]) => child !== false && (required.includes(name) || !isDeepest),
      );
      const fields = fc.record(
        Object.fromEntries(properties.map(([name, child]) => [name, inner(child)])),
        // Another part of an `allOf` may have the others.
        { requiredKeys: properties.map(([name]) => name).filter((name) => required.includes(name)) },
      );
      const others = schema['additionalProperties'] ?? false;
      if (others === false) return fields;
      const minKeys = number('minProperties', 0);
      return fc
        .tuple(fc.dictionary(names, inner(others), { minKeys, maxKeys: minKeys + longest }), fields)
        .map(merged);
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Any, but for the one that JavaScript has a meaning of its own for. */
const names = fc.string({ minLength: 1, maxLength: 12 }).filter((name) => name !== '__proto__');

const CONSTRAINTS = ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'format', 'required', 'enum'];

/** Values of any kind, those that nearly fit `schema` among them. */
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

function without(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** Whether a JSON value keeps to `schema`. int64 is any integer here: its bounds are looked at where it is text. */
export type Fits = (schema: JsonObject, value: unknown) => boolean;

export function createFits(document: JsonObject): Fits {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv, { mode: 'full' });
  ajv.addFormat('int64', true);
  const compiled = new Map<JsonObject, ValidateFunction>();
  return (schema, value) => {
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components: document['components'] });
    compiled.set(schema, validate);
    return validate(value);
  };
}

/** Whether no whole number in `value` is beyond 2^53−1: those are refused in bodies, in both directions. */
export function hasExactNumbers(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasExactNumbers);
}

function integers(schema: JsonObject): Arbitrary<number> {
  const [least, most] =
    schema['format'] === 'int32'
      ? [-(2 ** 31), 2 ** 31 - 1]
      : [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const number = (key: string, fallback: number) => Number(schema[key] ?? fallback);
  const step = Math.max(1, number('multipleOf', 1));
  const min = Math.ceil(Math.max(number('minimum', least), number('exclusiveMinimum', -Infinity) + 1) / step);
  const max = Math.floor(Math.min(number('maximum', most), number('exclusiveMaximum', Infinity) - 1) / step);
  // Small ones are likely to be ids of something that is there.
  const small = fc.integer({ min: Math.max(min, Math.min(1, max)), max: Math.min(max, Math.max(40, min)) });
  return fc
    .oneof(SIMPLEST_FIRST, small, fc.constantFrom(min, max), fc.integer({ min, max }))
    .map((value) => value * step);
}

const dates = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

const FORMATS: Readonly<Record<string, Arbitrary<string>>> = {
  'date-time': dates,
  date: dates.map((date) => date.slice(0, 10)),
  time: dates.map((date) => date.slice(11)),
  duration: fc.stringMatching(/^P(?:[1-9]W|[1-9]D(?:T[1-9]H)?|T[1-9]M)$/),
  hostname: fc.domain(),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
  byte: fc.base64String({ maxLength: 40 }),
  'uri-reference': fc.webPath(),
  uuid: fc.uuid(),
  email: fc.emailAddress(),
  uri: fc.webUrl(),
};

function strings(schema: JsonObject): Arbitrary<string> {
  const { format, pattern, minLength: least = 0, maxLength: most = Infinity } = schema;
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern, 'u'));
  const [minLength, maxLength] = [Number(least), Math.min(Number(most), Math.max(Number(least), 30))];
  const plain = (unit: 'binary' | 'grapheme-ascii') => fc.string({ minLength, maxLength, unit });
  return FORMATS[String(format)] ?? fc.oneof(plain('binary'), plain('grapheme-ascii'));
}
