import { contractAjv } from '@kit/contract/contract-ajv';
import { patternOf } from '@kit/contract/pattern';
import { isInt64 } from '@kit/contract/int64';
import { isObject, type JsonObject } from '@kit/contract/json-pointer';
import { isRounded } from './exact-number.ts';

/**
 * Types whose values are sent as text. A validator that coerces text to numbers rounds 9007199254740993 to another id, so
 * it gets the text with the type's name as its format, and the value is made here.
 */
interface TextType {
  /** Completes "must be …". */
  readonly wanted: string;
  readonly isText: (text: string) => boolean;
  readonly valueOf: (text: string) => number | bigint | boolean;
}

const INTEGER = /^(?:0|-?[1-9][0-9]{0,15})$/;
/** RFC 8259 §6. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

const TEXT_TYPES: Readonly<Record<string, TextType>> = {
  int64: { wanted: 'a 64-bit decimal integer', isText: isInt64, valueOf: BigInt },
  int32: {
    wanted: 'a 32-bit decimal integer',
    isText: (text) => INTEGER.test(text) && Number(text) === (Number(text) | 0),
    valueOf: Number,
  },
  integer: {
    wanted: 'integer',
    isText: (text) => INTEGER.test(text) && Number.isSafeInteger(Number(text)),
    valueOf: Number,
  },
  number: { wanted: 'number', isText: (text) => NUMBER.test(text) && !isRounded(text), valueOf: Number },
  boolean: {
    wanted: 'boolean',
    isText: (text) => text === 'true' || text === 'false',
    valueOf: (text) => text === 'true',
  },
};

type Bound = readonly [word: string, holds: (value: number | bigint, bound: number) => boolean];

const BOUNDS: Readonly<Record<string, Bound>> = {
  minimum: ['>=', (value, bound) => value >= bound],
  maximum: ['<=', (value, bound) => value <= bound],
  exclusiveMinimum: ['>', (value, bound) => value > bound],
  exclusiveMaximum: ['<', (value, bound) => value < bound],
  multipleOf: [
    'a multiple of',
    (value, bound) => {
      if (typeof value === 'bigint' && Number.isInteger(bound)) return value % BigInt(bound) === 0n;
      const times = Number(value) / bound;
      // Binary fractions are inexact, but 0.3 must be a multiple of 0.1.
      return Math.abs(times - Math.round(times)) < 1e-9;
    },
  ],
};

/** The formats that `textSchema` names, for ajv. */
export const textFormats = Object.fromEntries(
  Object.entries(TEXT_TYPES).map(([name, { isText }]) => [
    name,
    { type: 'string' as const, validate: isText },
  ]),
);

/** The requirement of one of these formats; undefined for another format. */
export function wantedBy(format: string): string | undefined {
  return TEXT_TYPES[format]?.wanted;
}

/** Other formats accept every text (JSON Schema 2020-12 validation §7.2.3). */
export const STRING_FORMATS = contractAjv().formats as Record<string, never>;

/** A parameter's scalar, or the items of its list. */
export interface Scalar {
  /** The schema of its text, without bounds of numbers. */
  readonly textSchema: JsonObject;
  readonly isText: (text: string) => boolean;
  /** The value of a valid text, or the bound that it violates. */
  readonly read: (text: string) => unknown;
}

export class OutOfBounds {
  readonly wanted: string;

  constructor(wanted: string) {
    this.wanted = wanted;
  }
}

/** The default of a parameter, whose 64-bit integers are bigint. */
export function defaultOf({ default: value, format, items }: JsonObject): unknown {
  const exact = (item: unknown) => (typeof item === 'number' ? BigInt(item) : item);
  if (format === 'int64') return exact(value);
  const isList = isObject(items) && items['format'] === 'int64' && Array.isArray(value);
  return isList ? value.map(exact) : value;
}

export function scalarOf(schema: JsonObject): Scalar {
  const types = [schema['type']].flat();
  const type = types.find((type) => type !== 'null');
  const isNullable = types.includes('null');
  const { textSchema, isText, read } = type === 'string' ? ofStrings(schema) : ofOthers(schema, String(type));
  if (!isNullable) return { textSchema, isText, read };
  return {
    textSchema: { anyOf: [{ const: '' }, textSchema] },
    isText: (text) => text === '' || isText(text),
    read: (text) => (text === '' ? null : read(text)),
  };
}

function ofStrings(schema: JsonObject): Scalar {
  const { format, pattern, ...others } = schema;
  const isKnown = typeof format === 'string' && format in STRING_FORMATS;
  const textSchema = { ...others, type: 'string', default: undefined, ...(isKnown && { format }) };
  if (typeof pattern !== 'string') return { textSchema, isText: () => true, read: (text) => text };
  const shape = patternOf(pattern);
  return {
    textSchema,
    isText: () => true,
    read: (text) => (shape.test(text) ? text : new OutOfBounds(`text that matches ${pattern}`)),
  };
}

function ofOthers(schema: JsonObject, type: string): Scalar {
  const isSized = type === 'integer' && /^int(32|64)$/.test(String(schema['format']));
  const format = isSized ? String(schema['format']) : type;
  const textType = TEXT_TYPES[format];
  if (!textType) throw new Error(`cannot read a parameter of the type ${type}`);
  const textSchema: JsonObject = { type: 'string', format };
  const bounds: { bound: number; rule: Bound }[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const rule = BOUNDS[keyword];
    if (rule && typeof value === 'number') bounds.push({ bound: value, rule });
    else if (keyword === 'enum') textSchema['enum'] = (value as unknown[]).map(String);
    else if (keyword === 'const') textSchema['const'] = String(value);
  }
  return {
    textSchema,
    isText: textType.isText,
    read(text) {
      const value = textType.valueOf(text);
      const broken = bounds.find(({ bound, rule: [, holds] }) => !holds(value as number | bigint, bound));
      return broken ? new OutOfBounds(`${broken.rule[0]} ${broken.bound}`) : value;
    },
  };
}
