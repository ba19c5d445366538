import { isObject, type JsonObject, patternOf } from '../json/index.ts';
import type { Choices } from './choices.ts';
import type { Bounds } from './number.ts';
import { makeText, type Form } from './text.ts';
import type { Place } from './place.ts';

/** What several schemas without compositions demand together. */
export interface Constraints {
  /** Undefined if they state none; empty if they contradict each other. */
  readonly types: readonly string[] | undefined;
  /** Whether they demand nothing. */
  readonly isOpen: boolean;
  /** Of `enum` and `const`. */
  readonly values: readonly unknown[] | undefined;
  /** The JSON of values that may not be. */
  readonly not: readonly string[];
  readonly form: Form;
  readonly bounds: Bounds;
  readonly minItems: number;
  readonly maxItems: number;
  readonly isUnique: boolean;
  readonly itemsAt: (index: number) => unknown[];
  /** What the first items are. */
  readonly contained: { readonly count: number; readonly schemas: readonly unknown[] };
  readonly minProperties: number;
  readonly maxProperties: number;
  readonly required: readonly string[];
  /** The names of the fields that they describe, in their order. */
  readonly names: readonly string[];
  readonly fieldsAt: (name: string) => unknown[];
  readonly isForbidden: (name: string) => boolean;
  readonly requiredBy: (name: string) => readonly string[];
  /** Names of more fields: from as many as there are to `count`. */
  readonly moreNames: (choices: Choices, from: number, count: number) => readonly string[];
}

/** Keywords that say which type is meant if none is stated. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  object: [
    ...[
      'properties',
      'required',
      'additionalProperties',
      'patternProperties',
      'propertyNames',
      'minProperties',
    ],
    ...['maxProperties', 'dependentRequired', 'dependentSchemas', 'unevaluatedProperties'],
  ],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains', 'unevaluatedItems'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

const OF_TEXT = ['format', 'pattern', 'minLength', 'maxLength'];

export function joined(parts: readonly JsonObject[]): Constraints {
  const all = (keyword: string) =>
    parts.flatMap((part) => (part[keyword] === undefined ? [] : [part[keyword]]));
  const numbers = (keyword: string) => all(keyword).filter((value) => typeof value === 'number');
  const most = (keyword: string) => Math.min(Infinity, ...numbers(keyword));
  const least = (keyword: string, otherwise = 0) => Math.max(otherwise, ...numbers(keyword));
  const texts = (keyword: string) => [...new Set(all(keyword).filter((value) => typeof value === 'string'))];
  const maps = (keyword: string) => all(keyword).filter(isObject);
  const formats = texts('format');
  const nots = maps('not');
  const patternsIn = new Map(
    maps('patternProperties')
      .flatMap(Object.keys)
      .map((pattern) => [pattern, patternOf(pattern)]),
  );
  const names = [...new Set(maps('properties').flatMap(Object.keys))];
  const forbidden = new Set(
    nots.flatMap(({ required, ...others }) =>
      Array.isArray(required) && required.length === 1 && Object.keys(others).every((key) => key === 'type')
        ? (required as string[])
        : [],
    ),
  );
  const fieldsAt = (name: string) =>
    parts.flatMap((part): unknown[] => {
      const { properties, patternProperties, additionalProperties, unevaluatedProperties } = part;
      const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
      const matching = Object.entries(isObject(patternProperties) ? patternProperties : {}).flatMap(
        ([pattern, schema]) => (patternsIn.get(pattern)?.test(name) ? [schema] : []),
      );
      if (own.length + matching.length > 0) return [...own, ...matching];
      if (additionalProperties !== undefined) return [additionalProperties];
      return unevaluatedProperties === undefined || names.includes(name) ? [] : [unevaluatedProperties];
    });
  const dependent = maps('dependentRequired');

  // Most values need few of these.
  return {
    get types() {
      return typesOf(all('type'));
    },
    get isOpen() {
      const keywords = [...Object.values(MEANT).flat(), ...OF_TEXT];
      return parts.every((part) => keywords.every((keyword) => !(keyword in part)));
    },
    get values() {
      return valuesOf(all('enum'), all('const'));
    },
    get not() {
      return nots.flatMap(({ enum: values, const: only }) =>
        [...(Array.isArray(values) ? (values as unknown[]) : []), ...(only === undefined ? [] : [only])].map(
          (value) => JSON.stringify(value),
        ),
      );
    },
    get form() {
      return { formats, patterns: texts('pattern'), least: least('minLength'), most: most('maxLength') };
    },
    get bounds() {
      return boundsOf(formats, { most, least: (keyword) => least(keyword, -Infinity), numbers });
    },
    get minItems() {
      return least('minItems');
    },
    get maxItems() {
      return most('maxItems');
    },
    get isUnique() {
      return all('uniqueItems').includes(true);
    },
    itemsAt: (index) =>
      parts.flatMap(({ prefixItems, items, unevaluatedItems }): unknown[] => {
        if (Array.isArray(prefixItems) && index < prefixItems.length) return [prefixItems[index]];
        if (items !== undefined) return [items];
        return unevaluatedItems === undefined ? [] : [unevaluatedItems];
      }),
    get contained() {
      return { count: all('contains').length > 0 ? least('minContains', 1) : 0, schemas: all('contains') };
    },
    get minProperties() {
      return least('minProperties');
    },
    get maxProperties() {
      return most('maxProperties');
    },
    get required() {
      return [...new Set(all('required').flatMap((list) => (Array.isArray(list) ? (list as string[]) : [])))];
    },
    names,
    fieldsAt,
    isForbidden: (name) => forbidden.has(name) || fieldsAt(name).includes(false),
    requiredBy: (name) =>
      dependent.flatMap((map) =>
        Array.isArray(map[name]) && Object.hasOwn(map, name) ? (map[name] as string[]) : [],
      ),
    moreNames: (choices, from, count) =>
      moreNames(choices, range(from, count), maps('propertyNames'), [...patternsIn.keys()]),
  };
}

/** The type that `parts` mean if they state none: text if they say nothing. */
export function typeMeant(parts: readonly JsonObject[]): string {
  const isMeant = ([, keywords]: readonly [string, readonly string[]]) =>
    keywords.some((keyword) => parts.some((part) => keyword in part));
  const [type = 'string'] = Object.entries(MEANT).find(isMeant) ?? [];
  const isNumber = parts.some(({ format }) => /^(int32|int64|float|double)$/.test(String(format)));
  return type === 'string' && isNumber ? 'number' : type;
}

/** Whether a value is of a stated type. */
export function isOfType(value: unknown, types: readonly string[] | undefined): boolean {
  if (!types) return true;
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return types.includes(type) || (type === 'number' && types.includes('integer') && Number.isInteger(value));
}

/** Types that all of several statements allow: integers are numbers. */
function typesOf(stated: readonly unknown[]): string[] | undefined {
  const lists = stated.map((types) => [types].flat().map(String));
  const [first, ...others] = lists;
  if (!first) return undefined;
  const isIn = (types: readonly string[]) => (type: string) =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  const common = others.reduce(
    (one, other) => [...new Set([...one.filter(isIn(other)), ...other.filter(isIn(one))])],
    first,
  );
  return [...common.filter((type) => type !== 'null'), ...common.filter((type) => type === 'null')];
}

function valuesOf(enums: readonly unknown[], consts: readonly unknown[]): unknown[] | undefined {
  const lists = [...enums.filter(Array.isArray), ...consts.map((only) => [only])] as unknown[][];
  const [first, ...others] = lists;
  if (!first) return undefined;
  const texts = others.map((list) => new Set(list.map((value) => JSON.stringify(value))));
  return first.filter((value) => texts.every((list) => list.has(JSON.stringify(value))));
}

interface Reading {
  readonly most: (keyword: string) => number;
  readonly least: (keyword: string) => number;
  readonly numbers: (keyword: string) => number[];
}

/** JSON numbers are exact up to 2^53−1 (RFC 8259 §6). */
function boundsOf(formats: readonly string[], { most, least, numbers }: Reading): Bounds {
  const [lowest, highest] = formats.includes('int32') ? [-(2 ** 31), 2 ** 31 - 1] : [-Infinity, Infinity];
  return {
    minimum: Math.max(least('minimum'), lowest),
    above: least('exclusiveMinimum'),
    maximum: Math.min(most('maximum'), highest),
    below: most('exclusiveMaximum'),
    steps: numbers('multipleOf').filter((step) => step > 0),
  };
}

const ANYWHERE: Place = {
  ...{ name: 'JSON', isAscii: false, carriesEmpty: { list: true, object: true } },
  carriesText: (text) => text !== '',
};

function moreNames(
  choices: Choices,
  numbered: readonly number[],
  named: readonly JsonObject[],
  patterns: readonly string[],
): string[] {
  if (named.length === 0 && patterns.length === 0) return numbered.map((index) => `name${index + 1}`);
  const { form } = joined(named.length > 0 ? named : patterns.slice(0, 1).map((pattern) => ({ pattern })));
  return [
    ...new Set(
      numbered.flatMap(
        (index) => makeText(form, choices.isUsual ? choices.itemAt(index) : choices, ANYWHERE) ?? [],
      ),
    ),
  ];
}

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
