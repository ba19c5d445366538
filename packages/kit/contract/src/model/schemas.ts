import { isObject, resolve as valueAt, type JsonObject } from '../json-pointer.ts';

/** Questions about the schemas of a document, answered through references and compositions. */
export interface Schemas {
  /** The value behind references; an empty object if it is not one. Keywords next to a reference are left out. */
  resolve<Value extends object>(value: Value): Value;
  resolve(value: unknown): JsonObject;
  /** A schema without a reference at its root, with the keywords next to it (JSON Schema 2020-12 core §8.2.3.1). */
  whole(schema: unknown): JsonObject;
  /** Every schema that holds for each value that is not null: its targets, the parts of `allOf`, then itself. */
  partsOf(schema: unknown): readonly JsonObject[];
  /** The alternatives of `oneOf` and `anyOf`, without null, if there are several. */
  branchesOf(schema: unknown): readonly unknown[];
  /** The JSON types of its values, with `integer`; empty if it allows every type. */
  typesOf(schema: unknown): ReadonlySet<string>;
  /** The properties of an object. */
  fieldsOf(schema: unknown): JsonObject;
  /** The properties of an object, with those that only some of its alternatives have. */
  possibleFieldsOf(schema: unknown): JsonObject;
  requiredOf(schema: unknown): readonly string[];
  /** The items of a list, of each alternative that is one; undefined if nothing describes them. */
  itemsOf(schema: unknown): JsonObject | undefined;
  /** The schema of properties that `fieldsOf` does not name; false if there may be none. */
  othersOf(schema: unknown): unknown;
  /** Whether a form part or a body with this schema is bytes, not text. */
  isBinary(schema: unknown): boolean;
  /** Whether a property exists in only one direction. */
  has(keyword: 'readOnly' | 'writeOnly', schema: unknown): boolean;
  defaultOf(schema: unknown): unknown;
}

/** References and compositions may form a circle. */
const MAX_DEPTH = 32;

const known = new WeakMap<object, Schemas>();

export function schemasOf(document: object): Schemas {
  const made = known.get(document) ?? createSchemas(document);
  known.set(document, made);
  return made;
}

function createSchemas(document: object): Schemas {
  const targetOf = (schema: JsonObject) =>
    typeof schema['$ref'] === 'string' ? valueAt(document, schema['$ref']) : undefined;

  function resolve(value: unknown): JsonObject {
    let node = value;
    for (let hops = 0; hops < MAX_DEPTH && isObject(node) && typeof node['$ref'] === 'string'; hops += 1)
      node = targetOf(node);
    return isObject(node) ? node : {};
  }

  function whole(schema: unknown): JsonObject {
    if (!isObject(schema) || typeof schema['$ref'] !== 'string') return resolve(schema);
    const target = whole(targetOf(schema));
    const siblings: JsonObject = { ...schema };
    delete siblings['$ref'];
    const clashes = Object.keys(siblings).some((key) => key in target && !isReplaceable(key));
    return clashes ? { allOf: [target, siblings] } : { ...target, ...siblings };
  }

  const isNull = (schema: unknown) => {
    const { type, const: only, enum: values } = resolve(schema);
    return (
      type === 'null' || only === null || (Array.isArray(values) && values.every((value) => value === null))
    );
  };
  const unionsOf = (schema: JsonObject) =>
    ['oneOf', 'anyOf'].flatMap((key) => (Array.isArray(schema[key]) ? [schema[key] as unknown[]] : []));

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

  /** The parts of a schema and of its alternatives. */
  const possiblePartsOf = (schema: unknown, depth = 0): JsonObject[] =>
    depth > MAX_DEPTH / 4
      ? []
      : [...branchesOf(schema).flatMap((branch) => possiblePartsOf(branch, depth + 1)), ...partsOf(schema)];

  function typesOf(schema: unknown, depth = 0): Set<string> {
    const stated = gather(schema, false).flatMap((part) => [
      ownTypes(part),
      ...unionsOf(part).map((branches) => {
        const each = depth > MAX_DEPTH / 4 ? [] : branches.map((branch) => typesOf(branch, depth + 1));
        return each.every(({ size }) => size > 0)
          ? new Set(each.flatMap((types) => [...types]))
          : new Set<string>();
      }),
    ]);
    const some = stated.filter(({ size }) => size > 0);
    const both = some.reduce(commonTypes, some[0] ?? new Set<string>());
    return both.size > 0 ? both : new Set(some.flatMap((types) => [...types]));
  }

  const propertiesIn = (parts: readonly JsonObject[]) => merged(parts.map((part) => part['properties']));

  return {
    resolve: resolve,
    whole,
    partsOf,
    branchesOf,
    typesOf: remember((schema) => typesOf(schema)),
    fieldsOf: remember((schema) => propertiesIn(partsOf(schema))),
    possibleFieldsOf: (schema) => propertiesIn(possiblePartsOf(schema)),
    requiredOf: (schema) => [
      ...new Set(partsOf(schema).flatMap((part) => (part['required'] ?? []) as string[])),
    ],
    itemsOf(schema) {
      const all = possiblePartsOf(schema).flatMap(({ items }) => (isObject(items) ? [items] : []));
      return all.length > 1 ? { anyOf: all } : all[0];
    },
    othersOf(schema) {
      const stated = possiblePartsOf(schema).flatMap(({ additionalProperties: others }) => others ?? []);
      return stated.find(isObject) ?? stated[0];
    },
    isBinary: (schema) => partsOf(schema).some(isBytes),
    has: (keyword, schema) => partsOf(schema).some((part) => part[keyword] === true),
    defaultOf: (schema) => partsOf(schema).findLast((part) => 'default' in part)?.['default'],
  };
}

/** Answers a question about each schema once: the same ones are asked about at many places. */
function remember<Answer>(ask: (schema: unknown) => Answer): (schema: unknown) => Answer {
  const answers = new WeakMap<object, Answer>();
  return (schema) => {
    if (!isObject(schema)) return ask(schema);
    const answer = answers.get(schema) ?? ask(schema);
    answers.set(schema, answer);
    return answer;
  };
}

/** Whether a keyword next to a reference replaces that of its target. */
function isReplaceable(keyword: string): boolean {
  return /^(title|description|default|examples?|deprecated|x-.*)$/.test(keyword);
}

/** OpenAPI 3.0 has `format`, 3.1 a media type. */
function isBytes({ format, contentMediaType: type, contentEncoding }: JsonObject): boolean {
  const isText =
    typeof type !== 'string' || /^(text\/.*|.*[/+](json|xml|yaml)|application\/javascript)$/i.test(type);
  return format === 'binary' || (!isText && contentEncoding === undefined);
}

function ownTypes(schema: JsonObject): Set<string> {
  const { type, const: only, enum: values } = schema;
  if (type !== undefined) return new Set([type].flat().map(String));
  if (only !== undefined) return new Set([typeOf(only)]);
  if (Array.isArray(values)) return new Set(values.map(typeOf));
  if ('properties' in schema) return new Set(['object']);
  return new Set('items' in schema || 'prefixItems' in schema ? ['array'] : []);
}

function typeOf(value: unknown): string {
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
