import fc, { type Arbitrary } from 'fast-check';
import type { JsonObject } from '@petstore/contract/json-pointer';
import { anyValues, fittingValues, SIMPLEST_FIRST } from './values.ts';

/** Whether a request with this in it must be accepted, must be refused, or may be either. */
export type Verdict = 'valid' | 'invalid' | 'either';

type Fits = (schema: JsonObject, value: unknown) => boolean;

const CANONICAL = /^(?:0|-?[1-9]\d*)$/;

/** What the contract says of `text` as the value of a path, query or header parameter. */
export function verdictOn(text: string, schema: JsonObject, fits: Fits): Verdict {
  const types = [schema['type']].flat();
  if (text === '' && types.includes('null')) return 'valid';
  switch (types.find((type) => type !== 'null')) {
    case 'integer':
      return verdictOnInteger(text, schema, fits);
    case 'number':
      if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return fits(schema, Number(text)) ? 'valid' : 'invalid';
      return Number.isFinite(Number(text)) ? 'either' : 'invalid';
    case 'boolean':
      if (text === 'true' || text === 'false') return fits(schema, text === 'true') ? 'valid' : 'invalid';
      return 'invalid';
    case 'string':
      return fits(schema, text) ? 'valid' : 'invalid';
    default:
      return 'either';
  }
}

/** What it says of a list of `texts`. */
export function verdictOnList(texts: readonly string[], schema: JsonObject, fits: Fits): Verdict {
  const items = schema['items'] as JsonObject;
  const verdicts = texts.map((text) => verdictOn(text, items, fits));
  // Texts that differ may stand for one number.
  const values = texts.map((text) => (items['type'] === 'number' ? Number(text) : text));
  if (!fits({ ...schema, items: {} }, values)) return 'invalid';
  return worst(verdicts);
}

export function worst(verdicts: readonly Verdict[]): Verdict {
  return (['invalid', 'either'] as const).find((each) => verdicts.includes(each)) ?? 'valid';
}

function verdictOnInteger(text: string, schema: JsonObject, fits: Fits): Verdict {
  const isExact = schema['format'] === 'int64';
  if (!CANONICAL.test(text)) {
    // The contract demands canonical decimals of int64 alone.
    return !isExact && text.trim() !== '' && Number.isInteger(Number(text)) ? 'either' : 'invalid';
  }
  const value = BigInt(text);
  if (isExact && BigInt.asIntN(64, value) !== value) return 'invalid';
  if (!isExact && !Number.isSafeInteger(Number(text))) return 'either';
  return fits(schema, Number(text)) ? 'valid' : 'invalid';
}

const EDGES = [0n, 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n, 2n ** 64n, 10n ** 18n, 10n ** 19n]
  .flatMap((edge) => [edge - 1n, edge, edge + 1n])
  .flatMap((edge) => [String(edge), String(-edge)]);

const NEAR_NUMBERS = [
  (text: string) => `0${text}`,
  (text: string) => `+${text}`,
  (text: string) => `-${text}`,
  (text: string) => `${text}.0`,
  (text: string) => `${text}e0`,
  (text: string) => `0x${text}`,
  (text: string) => ` ${text}`,
  (text: string) => `${text}\t`,
  (text: string) => `${text}\n`,
  (text: string) => `${text}\0`,
  (text: string) => `${text},${text}`,
  (text: string) => `${text};a=b`,
  (text: string) => `[${text}]`,
  (text: string) => `"${text}"`,
  (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit))),
  (text: string) => text.padStart(400, '1'),
];

const JUNK = [
  '.',
  '..',
  '../..',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  'true',
  '{}',
  '[]',
  '%',
  "1' OR '1'='1",
  '<script>',
  '__proto__',
  'constructor',
  '{id}',
  ':id',
  '*',
  '\u{1f436}',
  '\u0000',
  '\ufeff1',
  '1\u200b',
  '9'.repeat(2000),
];

/** Texts of which nearly all fit `schema`. */
export function fittingTexts(schema: JsonObject, document: JsonObject): Arbitrary<string> {
  const values = fittingValues(schema, document).map(textOf);
  return isExactInteger(schema)
    ? fc.oneof(
        SIMPLEST_FIRST,
        { weight: 4, arbitrary: values },
        { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String) },
        { weight: 1, arbitrary: fc.constantFrom(...EDGES) },
      )
    : values;
}

/** Texts of any kind, those that nearly fit `schema` among them. */
export function anyTexts(schema: JsonObject, document: JsonObject): Arbitrary<string> {
  const near = fc
    .tuple(
      fc.oneof(fc.nat(100).map(String), fittingTexts(schema, document)),
      fc.constantFrom(...NEAR_NUMBERS),
    )
    .map(([text, distort]) => distort(text));
  return fc.oneof(
    near,
    fc.constantFrom(...JUNK),
    fc.constantFrom(...EDGES),
    fc.string({ unit: 'binary', maxLength: 20 }),
    anyValues(schema, document).map(textOf),
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}

function isExactInteger(schema: JsonObject): boolean {
  return [schema['type']].flat().includes('integer') && schema['format'] === 'int64';
}

const PLAIN_IN_SEGMENT = /[A-Za-z0-9._~!$&'()*+,;=:@-]/;

/** The ways to write a text into a path segment or a query: RFC 3986 §2.4 calls them equivalent. */
export const encodings = {
  usual: encodeURIComponent,
  /** Only what must be. */
  least: (text: string) =>
    [...text].map((each) => (PLAIN_IN_SEGMENT.test(each) ? each : encodeURIComponent(each))).join(''),
  /** Every byte, in hexadecimal digits of either case. */
  most: (text: string) => everyByte(text).toUpperCase(),
  small: (text: string) => everyByte(text),
};

function everyByte(text: string): string {
  return [...Buffer.from(text, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
