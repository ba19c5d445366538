import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { patternOf } from './pattern.ts';

/** The shapes of RFC 3339 §5.6 and RFC 9562 §4: ajv-formats takes other separators, offsets and prefixes too. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  'date-time': /^[\d-]{10}t[\d:.]+(z|[+-]\d\d:\d\d)$/i,
  time: /^[\d:.]+(z|[+-]\d\d:\d\d)$/i,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
};

/** A validator for schemas: dates exist, formats are as narrow as their standards, JSON carries int64 exactly. */
export function contractAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    meta: false,
    // An unknown format says nothing of a value (JSON Schema 2020-12 validation §7.2.3).
    logger: false,
    code: { regExp: patternOf },
    ...options,
  });
  addFormats.default(ajv, { mode: 'full' });
  for (const [name, shape] of Object.entries(SHAPES)) {
    const { validate } = ajv.formats[name] as { readonly validate?: (text: string) => boolean };
    ajv.addFormat(name, (text: string) => shape.test(text) && validate?.(text) !== false);
  }
  // Ajv compares each item with each other one.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (isUnique: boolean, items: readonly unknown[]) =>
      !isUnique || new Set(items.map(canonical)).size === items.length,
  });
  return ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
}

/** The JSON of a value with its fields in order: the same text for values that are the same. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => {
    if (typeof each === 'bigint') return String(each);
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
