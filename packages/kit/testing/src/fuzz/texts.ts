import { writeParameter, type PlacedParameter } from '@contract-kit/core/http';
import type { Parameter } from '@contract-kit/core/model';
import { isInt64, isObject, type JsonObject } from '@contract-kit/core/json';
import fc, { type Arbitrary } from 'fast-check';
import { anyValues, CHARACTER, fittingValues, SIMPLEST_FIRST, type Fits, type Making } from './values.ts';

/** Whether a request with this value must be accepted, must be rejected, or may be either. */
export type Verdict = 'valid' | 'invalid' | 'either';

export function worst(verdicts: readonly Verdict[]): Verdict {
  return (['invalid', 'either'] as const).find((item) => verdicts.includes(item)) ?? 'valid';
}

const SCALARS = ['string', 'integer', 'number', 'boolean'];
const isScalar = ({ type }: JsonObject) =>
  [type].flat().every((type) => SCALARS.includes(String(type)) || type === 'null');

/** Whether a parameter is a scalar, or a list of scalars in the usual style. */
export function isScalarOrList({ schema, style, content }: Parameter): boolean {
  if (content !== undefined || !['form', 'simple'].includes(style)) return false;
  const { items } = schema;
  return schema['type'] === 'array' ? isObject(items) && isScalar(items) : isScalar(schema);
}

const CANONICAL = /^(?:0|-?[1-9]\d*)$/;

/** Whether a decimal is read as a different integer, as a non-canonical one, or not as a number. */
const isRounded = (text: string) =>
  !/\./.test(String(Number(text))) && String(Number(text)) !== text.replace(/\.0+$/, '');

/** Whether the contract accepts `text` as a path, query or header parameter. */
export function verdictOn(text: string, schema: JsonObject, fits: Fits): Verdict {
  const types = [schema['type']].flat();
  const verdict = (value: unknown) => (fits(schema, value) ? 'valid' : 'invalid');
  if (text === '' && types.includes('null')) return 'valid';
  switch (types.find((type) => type !== 'null')) {
    case 'integer': {
      const isExact = schema['format'] === 'int64';
      // Only int64 requires canonical decimals.
      if (!CANONICAL.test(text))
        return !isExact && text.trim() !== '' && Number.isInteger(Number(text)) ? 'either' : 'invalid';
      if (isExact && BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) return 'invalid';
      return isExact || Number.isSafeInteger(Number(text)) ? verdict(Number(text)) : 'either';
    }
    case 'number':
      if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text))
        return isRounded(text) ? 'either' : verdict(Number(text));
      return Number.isFinite(Number(text)) ? 'either' : 'invalid';
    case 'boolean':
      return text === 'true' || text === 'false' ? verdict(text === 'true') : 'invalid';
    case 'string':
      // 64-bit integers as text (ProtoJSON) are read as such.
      return schema['format'] === 'int64' && !isInt64(text) ? 'invalid' : verdict(text);
    default:
      return 'either';
  }
}

/** Whether it accepts a list of texts. */
export function verdictOnLists(schema: JsonObject, fits: Fits): (texts: readonly string[]) => Verdict {
  const items = schema['items'] as JsonObject;
  // One schema for all lists: `fits` compiles each that is new to it.
  const list = { ...schema, items: {} };
  return (texts) => {
    // Different texts may be the same number.
    const values = texts.map((text) => (items['type'] === 'number' ? Number(text) : text));
    if (!fits(list, values)) return 'invalid';
    return worst(texts.map((text) => verdictOn(text, items, fits)));
  };
}

const EDGES = [0n, 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n, 2n ** 64n, 10n ** 18n, 10n ** 19n]
  .flatMap((edge) => [edge - 1n, edge, edge + 1n])
  .flatMap((edge) => [String(edge), String(-edge)]);

const inDigitsFrom = (zero: number) => (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

const NEAR_NUMBERS: readonly ((text: string) => string)[] = [
  ...['0', '+', '-', '0x', ' '].map((before) => (text: string) => before + text),
  ...['.0', 'e0', '\t', '\n', '\0', ';a=b'].map((after) => (text: string) => text + after),
  (text) => `${text},${text}`,
  (text) => `[${text}]`,
  (text) => `"${text}"`,
  // Digits of other scripts: fullwidth and Arabic-Indic.
  inDigitsFrom(0xff10),
  inDigitsFrom(0x660),
  (text) => text.padStart(400, '1'),
];

const JUNK = [
  ...'. .. ../.. null undefined NaN Infinity true {} [] % <script> __proto__ constructor {id} :id *'.split(
    ' ',
  ),
  ...["1' OR '1'='1", '\u{1f436}', '\0', '\ufeff1', '1\u200b', '9'.repeat(2000)],
];

/** A value as text: an empty one for null, JSON for objects. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
}

/** `text` adapted to a place: an empty segment is another path, and headers allow fewer characters. */
export function textIn(place: string, text: string): string {
  if (place === 'header') return text.replace(/[^\x21-\x7e]/g, '');
  return place === 'path' ? text || ' ' : text;
}

/** The item of a list adapted to a place. */
export const itemIn = (place: string) => (text: string) =>
  place === 'header' ? textIn(place, text).replaceAll(',', '') : text;

/** The texts of a parameter that is a scalar or a list of scalars, nearly all valid. */
export function fittingTexts(parameter: Parameter, making: Making): Arbitrary<string[]> {
  const values = fittingValues(parameter, making).map((value) => [value].flat().map(textOf));
  const { items = parameter.schema } = parameter.schema;
  const { type, format } = items as JsonObject;
  if (![type].flat().includes('integer') || format !== 'int64') return values;
  return fc.oneof(
    SIMPLEST_FIRST,
    { weight: 4, arbitrary: values },
    {
      weight: 1,
      arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => [String(value)]),
    },
    { weight: 1, arbitrary: fc.constantFrom(...EDGES).map((edge) => [edge]) },
  );
}

/** Arbitrary texts of a scalar, including nearly valid ones. */
export function anyTexts(parameter: Parameter, making: Making): Arbitrary<string> {
  const texts = fittingTexts(parameter, making).map(([text = '']) => text);
  const fitting = fc.oneof(fc.nat(100).map(String), texts);
  return fc.oneof(
    fc.tuple(fitting, fc.constantFrom(...NEAR_NUMBERS)).map(([text, distort]) => distort(text)),
    fc.constantFrom(...JUNK),
    fc.constantFrom(...EDGES),
    fc.string({ unit: CHARACTER, maxLength: 20 }),
    anyValues(parameter.schema, making).map(textOf),
  );
}

/** Percent-encoded text with every other letter, digit and hyphen encoded too: RFC 3986 §2.4 calls the two equivalent. */
export const everySign = (text: string) =>
  text.replace(/%..|[\w.~-]/g, (sign) =>
    sign.length > 1 ? sign : `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

/** A parameter as a client writes it; undefined if it has no value, or one that its place or its style cannot carry. */
export function writtenAs(
  parameter: PlacedParameter,
  value: unknown,
  textOf: (value: unknown) => string,
): string | undefined {
  const refusal = new Error();
  try {
    return writeParameter(parameter, value, textOf, () => {
      throw refusal;
    });
  } catch (error) {
    if (error === refusal) return undefined;
    throw error;
  }
}
