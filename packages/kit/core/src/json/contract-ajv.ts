import {
  _,
  Ajv2020,
  str,
  type AnySchema,
  type AsyncValidateFunction,
  type Options,
  type ValidateFunction,
} from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isMultipleOf } from './multiple.ts';
import { patternOf } from './pattern.ts';

/** The formats of RFC 3339 §5.6 and RFC 9562 §4: ajv-formats accepts more separators, offsets and prefixes. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  'date-time': /^[\d-]{10}t[\d:.]+(z|[+-]\d\d:\d\d)$/i,
  time: /^[\d:.]+(z|[+-]\d\d:\d\d)$/i,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
};

/** The keyword of the id of a whole schema: in data of contracts, such as examples, `$id` means nothing to the validator. */
export const SCHEMA_ID = 'id of the validator';

/**
 * In schemas of a contract every reference leads to a component: what is called an anchor in one is data, such as an example.
 * The validator would take it for the name of a schema.
 */
class ContractAjv extends Ajv2020 {
  override addSchema(...[schema, ...rest]: Parameters<Ajv2020['addSchema']>): this {
    super.addSchema(withoutAnchors(schema), ...rest);
    return this;
  }

  override compile<Value>(
    schema: AnySchema,
    isMeta?: boolean,
  ): ValidateFunction<Value> & AsyncValidateFunction<Value> {
    return super.compile<Value>(withoutAnchors(schema), isMeta) as never;
  }
}

/** Keywords of the values that a validator compares with. */
const COMPARED = ['const', 'enum', 'default'];

/** Keywords whose objects have names that are no keywords. */
const NAMING = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'schemas'];

/** `value` itself if nothing in it is called an anchor, because schemas are known by their identity. */
function withoutAnchors<Value>(value: Value, areNames = false): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withoutAnchors(item));
    return items.some((item, index) => item !== value[index]) ? (items as Value) : value;
  }
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    if (areNames) return [name, withoutAnchors(inner)];
    if (COMPARED.includes(name)) return [name, inner];
    if (/^\$(anchor|dynamicAnchor)$/.test(name)) return [name, undefined];
    return [name, withoutAnchors(inner, NAMING.includes(name))];
  });
  const isSame = entries.every(([name, inner]) => inner === (value as Record<string, unknown>)[name]);
  return isSame ? value : (Object.fromEntries(entries) as Value);
}

/** A validator for schemas: dates must exist, formats follow their standards, JSON has exact int64. It knows `components` by their ids. */
export function contractAjv(
  options: Options = {},
  components: Readonly<Record<string, object | boolean>> = {},
): Ajv2020 {
  const ajv = new ContractAjv({
    strict: false,
    // A property may be called `constructor`, which every object inherits.
    ownProperties: true,
    validateSchema: false,
    schemaId: SCHEMA_ID as '$id',
    meta: false,
    // An unknown format says nothing of a value (JSON Schema 2020-12 validation §7.2.3).
    logger: false,
    // Optimizing code takes as long as writing it, and V8 optimizes too.
    code: { regExp: patternOf, optimize: false },
    // Ajv would write a schema without references again at each place that refers to it.
    inlineRefs: false,
    ...options,
  });
  addFormats.default(ajv, { mode: 'full' });
  for (const [name, shape] of Object.entries(SHAPES)) {
    const { validate } = ajv.formats[name] as { readonly validate?: (text: string) => boolean };
    ajv.addFormat(name, (text: string) => shape.test(text) && validate?.(text) !== false);
  }
  // Ajv compares each item with every other one.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (isUnique: boolean, items: readonly unknown[]) =>
      !isUnique || new Set(items.map(canonical)).size === items.length,
  });
  // Ajv divides binary fractions, so that 1070468.14 is no multiple of 0.01.
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: {
      message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
      params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
    },
    validate: (step: number, value: number) => isMultipleOf(value, step),
  });
  for (const [id, schema] of Object.entries(components)) ajv.addSchema(schema, id);
  return ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
}

/** The JSON of a value with sorted fields: equal values have equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
