import {
  contractAjv,
  patternOf,
  INT64_WANTED,
  isInt64,
  isObject,
  type JsonObject,
  isMultipleOf,
} from '@contract-kit/core/json';
import { isAnnotation } from '@contract-kit/core/model';
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

/** RFC 8259 §6. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

/** Also one that is written as `1.0` or `1e0`, which are the same number (JSON Schema 2020-12 core §4.2.2). */
const isInteger = (text: string) =>
  NUMBER.test(text) && !isRounded(text) && Number.isSafeInteger(Number(text));
/** Without a negative zero. */
const integerOf = (text: string) => Number(text) + 0;

const TEXT_TYPES: Readonly<Record<string, TextType>> = {
  int64: { wanted: INT64_WANTED, isText: isInt64, valueOf: BigInt },
  int32: {
    wanted: 'a 32-bit decimal integer',
    isText: (text) => isInteger(text) && integerOf(text) === (integerOf(text) | 0),
    valueOf: integerOf,
  },
  integer: { wanted: 'integer', isText: isInteger, valueOf: integerOf },
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
  multipleOf: ['a multiple of', isMultipleOf],
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

/** What a schema says of values. express-openapi-validator would follow a `$ref` in an example. */
export function constraintsIn(schema: JsonObject): JsonObject {
  const all = Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword) && keyword !== 'default');
  return Object.fromEntries(all);
}

/** A parameter's scalar, or the items of its list. */
export interface Scalar {
  /** The schema of its text for express-openapi-validator, which coerces it. */
  readonly schema: JsonObject;
  readonly isText: (text: string) => boolean;
  /** The value of a text that fits `schema`, or the keyword that it violates, which `schema` does not have. */
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
  // In quotes beyond 2^53, which a number in YAML cannot hold.
  const exact = (item: unknown) =>
    typeof item === 'number' || (typeof item === 'string' && isInt64(item)) ? BigInt(item) : item;
  if (format === 'int64') return exact(value);
  const isList = isObject(items) && items['format'] === 'int64' && Array.isArray(value);
  return isList ? value.map(exact) : value;
}

/** A listed value that YAML has in quotes is the number all the same. */
function valueIn(value: unknown): unknown {
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
}

export function scalarOf(given: JsonObject): Scalar {
  const types = [given['type']].flat();
  const type = types.find((type) => type !== 'null');
  const { enum: values, ...constraints } = constraintsIn(given);
  // Null is the empty text, not one of the values.
  if (Array.isArray(values)) constraints['enum'] = values.filter((value) => value !== null);
  const { schema, isText, read } =
    type === 'string' ? ofStrings(constraints) : ofOthers(constraints, String(type));
  if (!types.includes('null')) return { schema, isText, read };
  return {
    schema: { anyOf: [{ const: '' }, schema] },
    isText: (text) => text === '' || isText(text),
    read: (text) => (text === '' ? null : read(text)),
  };
}

function ofStrings({ format, pattern, ...others }: JsonObject): Scalar {
  const isKnown = typeof format === 'string' && format in STRING_FORMATS;
  const schema = { ...others, type: 'string', ...(isKnown && { format }) };
  // JavaScript's regular expressions may backtrack for minutes.
  const shape = typeof pattern === 'string' ? patternOf(pattern) : undefined;
  const read = (text: string) =>
    shape && !shape.test(text) ? new OutOfBounds(`text that matches ${String(pattern)}`) : text;
  return { schema, isText: () => true, read };
}

/** The keywords of a number or a boolean that its text is checked for, and those that are left for later. */
const DONE = { format: undefined, enum: undefined, const: undefined, multipleOf: undefined };

function ofOthers(given: JsonObject, type: string): Scalar {
  const isSized = type === 'integer' && /^int(32|64)$/.test(String(given['format']));
  const format = isSized ? String(given['format']) : type;
  const textType = TEXT_TYPES[format];
  if (!textType) throw new Error(`cannot read a parameter of the type ${type}`);
  const { enum: values, multipleOf } = given;
  const text: JsonObject = { type: 'string', format };
  const listed: JsonObject = {
    ...(Array.isArray(values) && { enum: values.map(String) }),
    ...('const' in given && { const: String(given['const']) }),
  };
  // Others are compared as the values that they are: 1.0 is 1.
  const equal: JsonObject = {
    ...(Array.isArray(values) && { enum: values.map(valueIn) }),
    ...('const' in given && { const: valueIn(given['const']) }),
  };
  // 0.3 is no multiple of 0.1 to express-openapi-validator, and an int64 stays text.
  const left = format === 'int64' ? given : { multipleOf };
  const bounds = Object.entries(left).flatMap(([keyword, bound]) => {
    const rule = BOUNDS[keyword];
    return rule && typeof bound === 'number' ? [{ bound, rule }] : [];
  });
  return {
    // It would round 9007199254740993, and coerces `0x10`, `1e3` and `01` too.
    schema:
      format === 'int64' ? { ...text, ...listed } : { allOf: [text, { ...given, type, ...DONE, ...equal }] },
    isText: textType.isText,
    read(text) {
      const value = textType.valueOf(text);
      const broken = bounds.find(({ bound, rule: [, holds] }) => !holds(value as number | bigint, bound));
      return broken ? new OutOfBounds(`${broken.rule[0]} ${broken.bound}`) : value;
    },
  };
}
