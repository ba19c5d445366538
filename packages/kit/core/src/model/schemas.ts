import { isObject, resolve as valueAt, type JsonObject } from '../json/index.ts';
import { withoutCircles } from './bases.ts';
import { eitherOf, withParts } from './composition.ts';
import { consequencesOf, ELSEWHERE, isAnnotation, UNIONS } from './keywords.ts';
import { REFERENCE, referenceIn, resolveIn } from './references.ts';
import { extensionsIn, familiesOf } from './tags.ts';
import type { Schemas } from './types.ts';

export type { Schemas };

/** The schemas of a document as it is now. */
export function readSchemas(given: JsonObject): Schemas {
  const document = withoutCircles(given);
  const targetOf = (schema: JsonObject) => {
    const reference = referenceIn(schema);
    return reference === undefined ? undefined : valueAt(document, reference);
  };

  const resolve = (value: unknown) => resolveIn(document, value);

  function whole(schema: unknown): JsonObject {
    if (!isObject(schema) || referenceIn(schema) === undefined) return resolve(schema);
    const target = whole(targetOf(schema));
    const siblings: JsonObject = { ...schema };
    delete siblings[REFERENCE];
    const clashes = Object.keys(siblings).some((key) => key in target && !isReplaceable(key));
    return clashes ? withParts({}, [target, siblings]) : { ...target, ...siblings };
  }

  const isNull = (schema: unknown) => {
    const { type, const: only, enum: values } = resolve(schema);
    return (
      type === 'null' || only === null || (Array.isArray(values) && values.every((value) => value === null))
    );
  };
  const unionsOf = (schema: JsonObject) =>
    UNIONS.flatMap((key) => (Array.isArray(schema[key]) ? [schema[key] as unknown[]] : []));

  function gather(given: unknown, isNullSeen: boolean, seen = new Set<unknown>()): JsonObject[] {
    if (!isObject(given) || seen.has(given)) return [];
    seen.add(given);
    const { allOf } = given;
    const only = isNullSeen
      ? unionsOf(given).map((branches) => branches.filter((branch) => !isNull(branch)))
      : [];
    return [
      targetOf(given),
      ...(Array.isArray(allOf) ? (allOf as unknown[]) : []),
      ...only.flatMap((branches) => (branches.length === 1 ? branches : [])),
    ]
      .flatMap((part) => gather(part, isNullSeen, seen))
      .concat(given);
  }

  const partsOf = remember((schema) => gather(schema, true));

  const branchesOf = (schema: unknown) =>
    partsOf(schema)
      .flatMap(unionsOf)
      .map((branches) => branches.filter((branch) => !isNull(branch)))
      .flatMap((branches) => (branches.length > 1 ? branches : []));

  /** The parts of a schema, of its alternatives, of what holds under conditions, and of what extends it: each once. */
  function possiblePartsOf(schema: unknown, seen = new Set<unknown>()): JsonObject[] {
    const all = partsOf(schema);
    const parts = all.filter((part) => !seen.has(part));
    if (parts.length === 0) return [];
    for (const part of parts) seen.add(part);
    const own = schemas.familiesOf(schema);
    const families = own.length > 0 ? own : all.flatMap((part) => schemas.familiesOf(part));
    const others = [
      ...branchesOf(schema),
      ...parts.flatMap(consequencesOf),
      ...extensionsIn(families).map((extension) => extension.schema),
    ];
    return [...others.flatMap((other) => possiblePartsOf(other, seen)), ...parts];
  }

  function typesOf(schema: unknown): Set<string> {
    const stated = gather(schema, false).flatMap((part) => [
      statedTypes(part),
      ...unionsOf(part).map((branches) => {
        const each = branches.map((branch) => schemas.typesOf(branch));
        return each.every(({ size }) => size > 0)
          ? new Set(each.flatMap((types) => [...types]))
          : new Set<string>();
      }),
    ]);
    const some = stated.filter(({ size }) => size > 0);
    const both = some.reduce(commonTypes, some[0] ?? new Set<string>());
    return both.size > 0 ? both : new Set(some.flatMap((types) => [...types]));
  }

  function isBinary(schema: unknown): boolean {
    const branches = branchesOf(schema);
    return (
      partsOf(schema).some(isBytes) ||
      (branches.length > 0 && branches.every((branch) => schemas.isBinary(branch)))
    );
  }

  const propertiesIn = (parts: readonly JsonObject[]) => merged(parts.map((part) => part['properties']));

  const schemas: Schemas = {
    document,
    resolve,
    whole,
    partsOf,
    branchesOf,
    typesOf: remember(typesOf, new Set<string>()),
    fieldsOf: remember((schema) => propertiesIn(partsOf(schema))),
    possibleFieldsOf: (schema) => propertiesIn(possiblePartsOf(schema)),
    requiredOf: (schema) => [
      ...new Set(partsOf(schema).flatMap((part) => (part['required'] ?? []) as string[])),
    ],
    itemsOf(schema) {
      const all = possiblePartsOf(schema).flatMap(({ items }) => (isObject(items) ? [items] : []));
      return eitherOf(all);
    },
    othersOf(schema) {
      const stated = possiblePartsOf(schema).flatMap((part) => othersIn(part) ?? []);
      return stated.find(isObject) ?? stated[0];
    },
    isBinary: remember(isBinary, false),
    isAbsentIn: (view, schema) => partsOf(schema).some((part) => part[ELSEWHERE[view]] === true),
    defaultOf: (schema) => partsOf(schema).findLast((part) => 'default' in part)?.['default'],
    familiesOf: remember((schema) => familiesOf(schema, document, schemas)),
  };
  return schemas;
}

/** What a schema itself says of the fields that it does not name (JSON Schema 2020-12 core §10.3.2.3, §11.3). */
export function othersIn({ additionalProperties, unevaluatedProperties }: JsonObject): unknown {
  return additionalProperties ?? unevaluatedProperties;
}

/**
 * Answers a question about each schema once: the same ones are asked about at many places. `inCircle` is the answer of a
 * schema about itself.
 */
function remember<Answer>(ask: (schema: unknown) => Answer, inCircle?: Answer): (schema: unknown) => Answer {
  const answers = new WeakMap<object, Answer>();
  return (schema) => {
    if (!isObject(schema)) return ask(schema);
    const known = answers.get(schema);
    if (known !== undefined) return known;
    if (inCircle !== undefined) answers.set(schema, inCircle);
    const answer = ask(schema);
    answers.set(schema, answer);
    return answer;
  };
}

/** Whether a keyword next to a reference replaces that of its target. */
function isReplaceable(keyword: string): boolean {
  return keyword === 'default' || isAnnotation(keyword);
}

/** OpenAPI 3.0 has `format`, 3.1 a media type. */
function isBytes({ format, contentMediaType: type, contentEncoding }: JsonObject): boolean {
  const isText =
    typeof type !== 'string' || /^(text\/.*|.*[/+](json|xml|yaml)|application\/javascript)$/i.test(type);
  return format === 'binary' || (!isText && contentEncoding === undefined);
}

function statedTypes(schema: JsonObject): Set<string> {
  const { type, const: only, enum: values } = schema;
  if (type !== undefined) return new Set([type].flat().map(String));
  if (only !== undefined) return new Set([jsonType(only)]);
  if (Array.isArray(values)) return new Set(values.map(jsonType));
  if ('properties' in schema) return new Set(['object']);
  return new Set('items' in schema || 'prefixItems' in schema ? ['array'] : []);
}

function jsonType(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

/** Integers are numbers. */
function commonTypes(one: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> {
  const isIn = (types: ReadonlySet<string>) => (type: string) =>
    types.has(type) || (type === 'integer' && types.has('number'));
  return new Set([...[...one].filter(isIn(other)), ...[...other].filter(isIn(one))]);
}

/** The properties of several parts: keywords of the same property hold together. */
export function merged(parts: readonly unknown[]): JsonObject {
  const all: [string, unknown][] = parts.filter(isObject).flatMap(Object.entries<unknown>);
  const result = new Map<string, unknown>();
  for (const [name, value] of all) {
    const other = result.get(name);
    result.set(name, isObject(other) && isObject(value) ? { ...other, ...value } : value);
  }
  return Object.fromEntries(result);
}
