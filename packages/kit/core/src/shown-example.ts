import { isObject } from './json-pointer.ts';
import { schemasOf, type Family, type Schema, type Schemas } from './model/model.ts';
import { taggedIn } from './model/tags.ts';
import { textMatching } from './pattern-text.ts';

/** A parameter, header or body that an example is for. */
export interface WithExamples {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown; readonly dataValue?: unknown }>>;
}

/** Placeholder for text that only the contract could exemplify. */
export const REPLACE_ME = 'REPLACE_ME';

/* Size limit of generated examples. Larger ones must come from the contract. */
const MAX_ITEMS = 100;
const MOST_CHARACTERS = 10_000;
/** Optional fields of a full example: schemas that refer to each other have millions. */
const MOST_OPTIONAL_FIELDS = 200;

export interface ExampleOptions {
  /** A request by default; in a response, a `readOnly` property may be required. */
  readonly view?: 'sent' | 'response';
  /** Ignores the examples and the defaults of the contract, which may break their schemas. */
  readonly ignoresShown?: boolean;
  /** The branch to begin with, of each union: a value of the first one may fit another, too. */
  readonly branch?: number;
  /** Has optional fields too, not only required ones. */
  readonly isFull?: boolean;
}

/** The contract's example, or one generated from the schema. */
export function exampleOf(document: object, media: WithExamples, options: ExampleOptions = {}): unknown {
  const [shown] = options.ignoresShown ? [] : shownExamples(document, media);
  const room = { fields: options.isFull ? MOST_OPTIONAL_FIELDS : 0 };
  const making = { ...options, schemas: schemasOf(document), room };
  return shown === undefined ? exampleOfSchema(making, media.schema ?? {}) : shown;
}

/** The examples of the contract, not of its schema. */
export function shownExamples(document: object, { example, examples = {} }: WithExamples): unknown[] {
  const named = Object.values(examples).map((example) => {
    const { value, dataValue = value } = schemasOf(document).resolve(example);
    return dataValue;
  });
  return [example, ...named].filter((item) => item !== undefined);
}

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-11-24',
  'date-time': '2026-11-24T09:00:00Z',
  'iso-date-time': '2026-11-24T09:00:00Z',
  time: '09:00:00Z',
  'iso-time': '09:00:00Z',
  duration: 'P1D',
  uuid: '5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  'json-pointer': '/text',
  'json-pointer-uri-fragment': '#/text',
  'relative-json-pointer': '0',
  byte: 'cGV0',
};

interface Making extends ExampleOptions {
  readonly schemas: Schemas;
  /** How many optional fields the example may still get. */
  readonly room: { fields: number };
}

/** Keywords of objects: a schema with one and no type means an object. */
const OBJECT_KEYWORDS = ['required', 'additionalProperties', 'minProperties'];

/** `wanted` are the fields that the surrounding schema requires. */
function exampleOfSchema(
  making: Making,
  given: Schema,
  around: readonly unknown[] = [],
  wanted: readonly string[] = [],
): unknown {
  const { schemas } = making;
  const parts = schemas.partsOf(given) as readonly Schema[];
  // A recursive schema ends where it may.
  if (parts.some((part) => around.includes(part))) return undefined;
  const types = [...schemas.typesOf(given)].sort((a, b) => Number(a === 'null') - Number(b === 'null'));
  const isMeant = parts.some((part) => OBJECT_KEYWORDS.some((keyword) => keyword in part));
  const type = types[0] ?? (isMeant ? 'object' : undefined);
  const known = statedExampleOf(making, type === 'object' ? chainOf(schemas, given) : parts);
  if (known !== undefined) return known;
  const inner = (child: unknown, ofPart?: readonly string[]) =>
    exampleOfSchema(making, child as Schema, [...around, ...parts], ofPart);
  const needed = [...wanted, ...schemas.requiredOf(given)];
  const schema = Object.assign({}, ...parts) as Schema;
  const branches = schemas.branchesOf(given);
  const first = (making.branch ?? 0) % branches.length;
  for (const branch of [...branches.slice(first), ...branches.slice(0, first)]) {
    const own = [...needed, ...schemas.requiredOf(branch)];
    const example = inner(branch, own);
    if (example === undefined) continue;
    const tags = parts.map((part) => tagOf(part, branch, schemas));
    return isObject(example)
      ? Object.assign(exampleFields(making, given, schema, own, inner), example, ...tags)
      : example;
  }
  const { maximum = Infinity, exclusiveMaximum = Infinity, prefixItems = [] } = schema;
  const { minItems = 0, maxItems = MAX_ITEMS } = schema;
  const items = schemas.itemsOf(given);
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.min(leastOf(schema), Number(maximum), Number(exclusiveMaximum) - 1);
    case 'array': {
      const first = (prefixItems as readonly unknown[]).map((item) => inner(item));
      const count = Math.min(Math.max(1, Number(minItems)), Number(maxItems), MAX_ITEMS) - first.length;
      const rest = Array.from({ length: Math.max(0, count) }, () => items && inner(items));
      return [...first, ...rest].filter((item) => item !== undefined);
    }
    case 'object': {
      // The example of a part has only that part's fields.
      const fields = exampleFields(making, given, schema, needed, inner);
      for (const part of parts) Object.assign(fields, statedExampleOf(making, [part]));
      return { ...fields, ...taggedFieldsOf(nearestFamilies(given, schemas), inner) };
    }
    default:
      return exampleText(schema);
  }
}

/** The families of a component, or of the parts of another schema: of those with the same tag, the nearest. */
function nearestFamilies(given: Schema, schemas: Schemas): Family[] {
  const own = schemas.familiesOf(given);
  const all = own.length > 0 ? own : schemas.partsOf(given).flatMap((part) => schemas.familiesOf(part));
  return [...new Map(all.map((family) => [family.property, family])).values()];
}

/** The first tag of each family, with the fields of the extension that it names. */
function taggedFieldsOf(
  families: readonly Family[],
  inner: (child: unknown) => unknown,
): Record<string, unknown> {
  const each = families.map(({ property, tags: [tag], extensions }) => {
    const named = extensions.find(({ tags }) => tag !== undefined && tags.includes(tag));
    const added = named && { ...(inner(named.schema) as object), ...taggedFieldsOf(named.families, inner) };
    return { ...added, [property]: tag };
  });
  return Object.assign({}, ...each) as Record<string, unknown>;
}

/** The tag that names `branch` in a schema with a discriminator. */
function tagOf(schema: Schema, branch: unknown, schemas: Schemas): Record<string, string> {
  const { property, branches } = taggedIn(schema, schemas) ?? { property: '', branches: [] };
  const [tag] = branches.find((item) => item.schema === branch)?.tags ?? [];
  return tag === undefined ? {} : { [property]: tag };
}

/** The schema, and those that it refers to, which are the same. */
function chainOf(schemas: Schemas, given: Schema): Schema[] {
  const target = schemas.resolve(given);
  return target === given ? [given] : [target, given];
}

/** The value that a schema itself states, also next to a reference. */
function statedExampleOf({ ignoresShown }: Making, parts: readonly Schema[]): unknown {
  const first = (schema: Schema, keyword: string) => (schema[keyword] as readonly unknown[] | undefined)?.[0];
  const own = parts.toReversed();
  const candidates = [
    ...(ignoresShown ? [] : own.flatMap((part) => [part['example'], first(part, 'examples')])),
    ...own.flatMap((part) => [
      ignoresShown ? undefined : part['default'],
      part['const'],
      first(part, 'enum'),
    ]),
  ];
  return candidates.find((example) => example !== undefined);
}

/** The required fields, and others up to `minProperties`, or while there is room. */
function exampleFields(
  { schemas, room, view = 'sent' }: Making,
  given: Schema,
  { minProperties = 0 }: Schema,
  needed: readonly string[],
  inner: (child: unknown) => unknown,
): Record<string, unknown> {
  const properties = Object.entries(schemas.fieldsOf(given));
  const visible = properties.filter(([, property]) => !schemas.isAbsentIn(view, property));
  const least = Number(minProperties);
  // A recursive schema has none.
  const made = ([name, property]: readonly [string, unknown]): [string, unknown][] => {
    const value = inner(property);
    return value === undefined ? [] : [[name, value]];
  };
  const optional = visible.filter(([name]) => !needed.includes(name));
  // Before the fields inside them, which would take all the room.
  const left = optional.slice(room.fields);
  room.fields -= optional.length - left.length;
  const chosen = visible.filter((field) => !left.includes(field)).flatMap(made);
  for (const other of left) if (chosen.length < least) chosen.push(...made(other));
  // The names of a record.
  const others = schemas.othersOf(given);
  const isDeclared = (name: string) => properties.some(([declared]) => declared === name);
  if (isObject(others))
    for (const name of needed.filter((item) => !isDeclared(item))) chosen.push(...made([name, others]));
  for (let count = chosen.length; count < Math.min(least, MAX_ITEMS); count += 1)
    chosen.push(...made([`name${count + 1}`, others ?? {}]));
  return Object.fromEntries(chosen);
}

/** The least number in the range from 0, or the least at all if the range ends below 0. */
function leastOf({ minimum, exclusiveMinimum = 0, multipleOf: step = 0 }: Schema): number {
  const least = Math.max(Number(minimum ?? Number(exclusiveMinimum) + 1), 0);
  return step ? Math.ceil(least / Number(step)) * Number(step) : least;
}

function exampleText(schema: Schema): string {
  const { format = '', pattern, minLength = 0, maxLength = Infinity } = schema;
  const known = TEXTS[format];
  if (typeof pattern === 'string')
    return textMatching(pattern, Number(minLength), Number(maxLength), known) ?? REPLACE_ME;
  const length = Math.min(Number(minLength), MOST_CHARACTERS);
  return known ?? 'text'.padEnd(length, 'text').slice(0, Number(maxLength));
}
