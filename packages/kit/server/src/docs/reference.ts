import type { Described } from '@contract-kit/core/model';
import { schemaId } from './markdown/fields.ts';
import { homesOf, type Chapter } from './homes.ts';
import { tagTitle, webhookId, type Document, type Operation, type Response, type Tag } from './openapi.ts';
import type { Served } from './served.ts';

/* The contract in the order of the page. */

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
  /** The page of each group, operation, webhook, schema and header by its id: `/docs` for all, or separate ones. `/docs` has the rest. */
  readonly homes: ReadonlyMap<string, string>;
  /** Every response header once, by `keyOfHeader`. */
  readonly headers: ReadonlyMap<string, KnownHeader>;
}

/** With more operations than this, each top-level group has a separate page, and so have webhooks, headers and schemas. */
const MAX_ON_ONE_PAGE = 99;

/** The same with more JSON than this. The HTML of one page is several times longer. */
const MAX_JSON = 100_000;

/** The most operations on one of these pages. A group with more has several. */
const MOST_OPERATIONS = 4;

/** About as much JSON of headers or schemas as one page shows. Its HTML is several times longer. */
const MOST_JSON = 40_000;

export function referenceOf(served: Served): Reference {
  const reference = references.get(served) ?? readReference(served);
  references.set(served, reference);
  return reference;
}

/** Each of the pages shows a part of it. */
const references = new WeakMap<Served, Reference>();

function readReference(served: Served): Reference {
  const { document, model } = served;
  const groups = groupsOf(model.operations, document.tags);
  const headers = knownHeaders(model.operations);
  const schemas = Object.entries(document.components?.schemas ?? {});
  const chapters = [
    ...groups.map((group) => ({ name: group.id, parts: partsOf(group), most: MOST_OPERATIONS })),
    ...webhookChapter(model.webhooks),
    appendix('response-headers', [...headers.values()], 'response-headers'),
    appendix(
      'schemas',
      schemas.map(([name, schema]) => ({ id: schemaId(name), schema })),
      'all-schemas',
    ),
  ];
  const homes = homesOf(chapters);
  const isSplit =
    model.operations.length > MAX_ON_ONE_PAGE || JSON.stringify(served.contract.document).length > MAX_JSON;
  return {
    ...served,
    groups,
    headers,
    homes: isSplit ? homes : new Map([...homes.keys()].map((id) => [id, '/docs'])),
  };
}

function webhookChapter(webhooks: readonly Operation[]): Chapter[] {
  if (webhooks.length === 0) return [];
  const parts = webhooks.map((webhook) => ({ id: webhookId(webhook), size: 1 }));
  return [{ name: 'webhooks', parts: [{ id: 'all-webhooks', size: 0 }, ...parts], most: MOST_OPERATIONS }];
}

function appendix(name: string, parts: readonly { readonly id: string }[], start: string): Chapter {
  const sized = parts.map((part) => ({ id: part.id, size: JSON.stringify(part).length }));
  return { name, parts: [{ id: start, size: 0 }, ...sized], most: MOST_JSON };
}

/** A group, its operations, and the groups in it, in the order of the page. */
function partsOf(group: Group): Chapter['parts'] {
  return [
    { id: `group-${group.id}`, size: 0 },
    ...group.operations.map(({ id }) => ({ id, size: 1 })),
    ...group.groups.flatMap(partsOf),
  ];
}

/** The tags, whether declared or not, as a tree by their parents; operations without one are under Other. */
function groupsOf(operations: readonly Operation[], declared: readonly Tag[] = []): Group[] {
  const marks = new Set(declared.filter(isMark).map(({ name }) => name));
  const tagOf = ({ definition: { tags = [] } }: Operation) =>
    tags.find((name) => !marks.has(name)) ?? 'Other';
  const groups = declared.filter((tag) => !isMark(tag)).map(({ name }) => name);
  const used = operations.map(tagOf);
  const names = new Set([...groups, ...used.filter((name) => name !== 'Other'), ...used]);
  const idOf = placeNames(['webhooks', 'schemas', 'response-headers']);
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

/** Names places by the letters of their titles, with a number if others have the same, or one of `others`. */
export function placeNames(others: readonly string[] = []): (title: string) => string {
  const taken = new Set(others);
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

/** A response header: one name with one meaning. */
export interface KnownHeader {
  readonly header: Described;
  readonly id: string;
  readonly name: string;
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
      const { name } = header;
      return [key, { header, id: `header-${index}-${name}`, name, everywhere: times === responses.length }];
    }),
  );
}

/** The headers of `response` that not every response has. */
export function specialHeaders({ headers: known }: Reference, { headers }: Response): KnownHeader[] {
  return headers
    .flatMap((header) => known.get(keyOfHeader(header)) ?? [])
    .filter(({ everywhere }) => !everywhere);
}

const keys = new WeakMap<Described, string>();

/** Made once: each page asks for those of all responses. */
function keyOfHeader(header: Described): string {
  const key = keys.get(header) ?? `${header.name.toLowerCase()} ${JSON.stringify(header)}`;
  keys.set(header, key);
  return key;
}

/** Whether it reads without input, as a first request should. */
export function isSimple({ method, definition, parameters }: Operation): boolean {
  return method === 'GET' && !definition.deprecated && !parameters.some(({ required }) => required);
}
