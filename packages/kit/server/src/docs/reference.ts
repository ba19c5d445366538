import { credentialOf, type SecurityScheme } from '@contract-kit/core/http';
import { isObject } from '@contract-kit/core/json';
import {
  compositionOf,
  othersIn,
  referenceIn,
  referTo,
  type Described,
  type Schema,
  type Schemas,
} from '@contract-kit/core/model';
import {
  alternativesOf,
  tagTitle,
  type Document,
  type Operation,
  type Response,
  type Tag,
} from './openapi.ts';
import type { Served } from './served.ts';

/* The contract as Markdown, for the page and for docs.md. */

/** A field, parameter or header: a row of a table. */
export interface FieldRow {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
  readonly meaning: string;
}

export interface Group extends Tag {
  /** Its place on the page, and the name of its page if it has one. */
  readonly id: string;
  readonly title: string;
  readonly operations: readonly Operation[];
  readonly groups: readonly Group[];
}

/** A contract as the page and its twin show it. */
export interface Reference extends Served {
  readonly groups: readonly Group[];
  /** The page of each operation and group: `/docs` for all, or one for each group at the top. */
  readonly homes: ReadonlyMap<string, string>;
  /** Every response header once, by `keyOfHeader`. */
  readonly headers: ReadonlyMap<string, KnownHeader>;
}

/** From this many operations on, each top-level group has a separate page. */
const MAX_ON_ONE_PAGE = 99;

/** The most operations on one of these pages. A group with more has several: `/docs/repos`, `/docs/repos/2`. */
const MAX_OF_GROUP = 5;

export function referenceOf(served: Served): Reference {
  const reference = references.get(served) ?? readReference(served);
  references.set(served, reference);
  return reference;
}

/** Each of the pages shows a part of it. */
const references = new WeakMap<Served, Reference>();

function readReference(served: Served): Reference {
  const { document, model } = served;
  const { operations } = model;
  const groups = groupsOf(operations, document.tags);
  const isSplit = operations.length > MAX_ON_ONE_PAGE;
  const within = (group: Group): string[] => [
    `group-${group.id}`,
    ...group.operations.map(({ id }) => id),
    ...group.groups.flatMap(within),
  ];
  const homesIn = (group: Group): [string, string][] => {
    const own = new Set(operationsIn([group]).map(({ id }) => id));
    let passed = 0;
    return within(group).map((id) => {
      const page = Math.floor(passed / MAX_OF_GROUP) + 1;
      passed += own.has(id) ? 1 : 0;
      if (!isSplit) return [id, '/docs'];
      return [id, page === 1 ? `/docs/${group.id}` : `/docs/${group.id}/${page}`];
    });
  };
  const homes = new Map(groups.flatMap(homesIn));
  return { ...served, groups, homes, headers: knownHeaders(operations) };
}

/** The tags, whether declared or not, as a tree by their parents; operations without one are under Other. */
function groupsOf(operations: readonly Operation[], declared: readonly Tag[] = []): Group[] {
  const marks = new Set(declared.filter(isMark).map(({ name }) => name));
  const tagOf = ({ definition: { tags = [] } }: Operation) =>
    tags.find((name) => !marks.has(name)) ?? 'Other';
  const groups = declared.filter((tag) => !isMark(tag)).map(({ name }) => name);
  const used = operations.map(tagOf);
  const names = new Set([...groups, ...used.filter((name) => name !== 'Other'), ...used]);
  const idOf = placeNames();
  const tags = [...names].map((name) => ({
    ...(declared.find((tag) => tag.name === name) ?? { name }),
    id: idOf(name),
  }));
  const parentOf = ({ 'x-parent': extension, parent = extension }: Tag) =>
    parent !== undefined && marks.has(parent) ? undefined : parent;
  const groupsIn = (parent: string | undefined): Group[] =>
    tags
      .filter((tag) => parentOf(tag) === parent)
      .map((tag) => ({
        ...tag,
        title: tagTitle(tag),
        operations: operations.filter((operation) => tagOf(operation) === tag.name),
        groups: groupsIn(tag.name),
      }));
  return groupsIn(undefined);
}

/** Whether a tag says more about operations than where they stand, as one of the kinds badge and audience does. */
function isMark({ kind = 'nav' }: Tag): boolean {
  return kind !== 'nav';
}

/** The titles of the tags of an operation that make no groups. */
export function marksOf({ tags = [] }: Document, { definition }: Operation): string[] {
  const own = definition.tags ?? [];
  return tags.filter((tag) => isMark(tag) && own.includes(tag.name)).map(tagTitle);
}

/** Names places by the letters of their titles, with a number if others have the same. */
export function placeNames(): (title: string) => string {
  const taken = new Set<string>();
  return (title) => {
    const letters = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const plain = letters.replace(/^-|-$/g, '') || 'part';
    let name = plain;
    for (let next = 2; taken.has(name); next += 1) name = `${plain}-${next}`;
    taken.add(name);
    return name;
  };
}

/** In the order of the page. */
export function operationsIn(groups: readonly Group[]): Operation[] {
  return groups.flatMap((group) => [...group.operations, ...operationsIn(group.groups)]);
}

/** The type of `schema` in words, with a link to each named schema. */
export function typeText(schema: Schema | boolean = true): string {
  if (typeof schema === 'boolean') return 'anything';
  const { type = [], format, items } = schema;
  const others = othersIn(schema);
  const { reference, parts, unions } = compositionOf(schema);
  if (reference) return `[${schemaName(reference)}](#${schemaId(schemaName(reference))})`;
  const typesOf = (schemas: typeof parts) => schemas.map((item) => typeText(item.schema as Schema));
  const [union] = unions;
  if (union) return typesOf(union.branches).join(' or ');
  if (parts.length > 0) return typesOf(parts).join(' with ');
  const types = [type].flat().map((type) => {
    if (type === 'array') return `list of ${typeText(items)}`;
    return type === 'object' && isObject(others) ? `map of ${typeText(others)}` : type;
  });
  const text = types.join(' or ') || 'anything';
  return format ? `${text} (${format})` : text;
}

export const schemaId = (name: string) => `schema-${name}`;
const schemaName = (reference: string) => reference.split('/').at(-1) ?? '';

/** A code span, between more backticks than its text has in a row (CommonMark §6.1). */
export function codeText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const runs = (text.match(/`+/g) ?? []).map(({ length }) => length);
  const fence = '`'.repeat(Math.max(0, ...runs) + 1);
  return runs.length > 0 ? `${fence} ${text} ${fence}` : fence + text + fence;
}

const codes = (values: unknown) => (values as readonly unknown[]).map(codeText).join(', ');
const bound = (before: string) => (value: unknown) => `${before} ${codeText(value)}.`;
const count = (before: string, one: string, more: string) => (value: unknown) =>
  `${before} ${codeText(value)} ${value === 1 ? one : more}.`;
const when = (text: string) => (value: unknown) => (value === true ? text : '');

/** The text for each keyword, in this order. */
const PHRASES: Readonly<Record<string, (value: unknown) => string>> = {
  deprecated: when('**Deprecated.**'),
  readOnly: when('In responses only.'),
  writeOnly: when('In requests only.'),
  const: bound('Always'),
  enum: (values) => `One of ${codes(values)}.`,
  'x-extensible-enum': (values) => `One of ${codes(values)}; new values may be added.`,
  minimum: bound('At least'),
  exclusiveMinimum: bound('More than'),
  maximum: bound('At most'),
  exclusiveMaximum: bound('Less than'),
  multipleOf: bound('A multiple of'),
  minLength: count('At least', 'character', 'characters'),
  maxLength: count('At most', 'character', 'characters'),
  pattern: bound('Matches'),
  minItems: count('At least', 'item', 'items'),
  maxItems: count('At most', 'item', 'items'),
  uniqueItems: when('Items are unique.'),
  minProperties: count('At least', 'entry', 'entries'),
  maxProperties: count('At most', 'entry', 'entries'),
  additionalProperties: when('Other fields may be added.'),
  unevaluatedProperties: when('Other fields may be added.'),
  default: bound('Default:'),
  example: bound('Example:'),
  examples: (values) => (Array.isArray(values) ? `Examples: ${codes(values)}.` : ''),
};

export function meaningOf(schema: Schema, description = schema.description ?? ''): string {
  const constraints = Object.entries(PHRASES).map(([keyword, phrase]) => {
    const value = schema[keyword];
    return value === undefined ? '' : phrase(value);
  });
  const { items } = schema;
  const ofItems = items && !referenceIn(items) ? meaningOf(items) : '';
  const { mapping = {}, defaultMapping } = (schema['discriminator'] ?? {}) as {
    readonly mapping?: Record<string, string>;
    readonly defaultMapping?: string;
  };
  const mapped = Object.entries(mapping).map(([tag, to]) => `${codeText(tag)}: ${typeText(referTo(to))}.`);
  const otherwise = defaultMapping === undefined ? '' : `Otherwise: ${typeText(referTo(defaultMapping))}.`;
  return [description.trim(), ...constraints, ofItems && `Each: ${ofItems}`, ...mapped, otherwise]
    .filter(Boolean)
    .join(' ');
}

/** The fields of `given` and of unnamed objects in it, without those that only the other view has. */
export function fieldRowsOf(
  schemas: Schemas,
  given: Schema,
  view?: 'sent' | 'response',
  prefix = '',
  around: readonly unknown[] = [],
): FieldRow[] {
  const target = schemas.resolve(given);
  // A list may have lists of its own kind as items, and an object of `allOf` itself as a field.
  if (around.includes(target)) return [];
  const within = [...around, target];
  const whole = schemas.whole(given);
  const { properties = {}, required = [], items } = whole as Schema;
  const others = othersIn(whole);
  const { parts, unions } = compositionOf(whole);
  const branches = unions.flatMap((union) => union.branches).filter(({ schema }) => !referenceIn(schema));
  const inside = (schema: Schema, name: string) =>
    referenceIn(schema) ? [] : fieldRowsOf(schemas, schema, view, name, within);
  const fields = Object.entries(properties).filter(
    ([, property]) => !view || !schemas.isAbsentIn(view, property),
  );
  return [
    ...[...parts, ...branches].flatMap(({ schema }) =>
      fieldRowsOf(schemas, schema as Schema, view, prefix, within),
    ),
    ...fields.flatMap(([name, property]) => [
      {
        name: prefix + name,
        required: required.includes(name) && !(view === 'sent' && schemas.defaultOf(property) !== undefined),
        type: typeText(property),
        meaning: meaningOf(property),
      },
      ...inside(property, `${prefix}${name}.`),
    ]),
    ...(items
      ? prefix
        ? inside(items, `${prefix.slice(0, -1)}[].`)
        : fieldRowsOf(schemas, items, view, '', within)
      : []),
    ...(isObject(others) ? inside(others, `${prefix}*.`) : []),
  ];
}

/** A parameter or header as a row. Its description overrides that of its schema. */
export function fieldRowOf({
  name,
  description,
  deprecated,
  example,
  required,
  written,
}: Described): FieldRow {
  const own = { ...written, ...(deprecated && { deprecated }), ...(example !== undefined && { example }) };
  return { name, required, type: typeText(written), meaning: meaningOf(own, description) };
}

/** A response header: one name with one meaning. */
export interface KnownHeader extends FieldRow {
  readonly id: string;
  readonly everywhere: boolean;
}

function knownHeaders(operations: readonly Operation[]): Reference['headers'] {
  const responses = operations.flatMap((operation) => operation.responses);
  const uses = responses.flatMap(({ headers }) => headers);
  const byKey = new Map<string, { readonly header: Described; readonly times: number }>();
  for (const header of uses) {
    const key = keyOfHeader(header);
    byKey.set(key, { header, times: (byKey.get(key)?.times ?? 0) + 1 });
  }
  return new Map(
    [...byKey].map(([key, { header, times }], index) => {
      const row = { ...fieldRowOf(header), required: false };
      return [key, { ...row, id: `header-${index}-${header.name}`, everywhere: times === responses.length }];
    }),
  );
}

/** The headers of `response` that not every response has. */
export function specialHeaders({ headers: known }: Reference, { headers }: Response): KnownHeader[] {
  return headers
    .flatMap((header) => known.get(keyOfHeader(header)) ?? [])
    .filter(({ everywhere }) => !everywhere);
}

function keyOfHeader(header: Described): string {
  return `${header.name.toLowerCase()} ${JSON.stringify(header)}`;
}

export function schemeText(scheme: SecurityScheme): string {
  const { in: place = 'header', name = '', prefix = '' } = credentialOf(scheme) ?? {};
  const sentence = {
    header: 'The key in the header',
    query: 'The key in the query, as',
    cookie: 'The key in the cookie',
  }[place];
  const text =
    scheme.description ?? `${sentence} ${codeText(name)}${prefix && `, after ${codeText(prefix)}`}.`;
  return scheme.deprecated === true ? `**Deprecated.** ${text}` : text;
}

/** The alternatives of security schemes, in words. */
export function securityText(operation: Operation): string {
  const words = alternativesOf(operation).map((names) =>
    names.length === 0 ? 'no key' : names.map(codeText).join(' with '),
  );
  return words.join(' or ');
}

/** Whether it needs no key at all. */
export function needsNoKey(operation: Operation): boolean {
  return alternativesOf(operation).every((names) => names.length === 0);
}

/** Whether it reads without input, as a first request should. */
export function isSimple({ method, definition, parameters }: Operation): boolean {
  return method === 'GET' && !definition.deprecated && !parameters.some(({ required }) => required);
}
