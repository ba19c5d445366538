import { schemaId } from '../markdown/fields.ts';
import { introductionOf } from '../markdown/introduction.ts';
import { eventNamesIn, fieldsIn, type NamedField } from './named-fields.ts';
import { titleOf, webhookId, type Operation } from '../openapi.ts';
import { referenceOf, specialHeaders, type Group, type Reference } from '../reference.ts';
import { scopeRows } from '../markdown/security-text.ts';
import type { Served } from '../served.ts';
import { callbacksIn } from '../markdown/webhook-text.ts';

/* What the search of the page knows, which browser/search-hits.js reads. Entries and names are numbered, to keep it small. */

export interface SearchIndex {
  /** The paths of all pages. */
  readonly pages: readonly string[];
  readonly entries: readonly Entry[];
  readonly names: Readonly<Record<NameKind, readonly Name[]>>;
  readonly references: readonly References[];
}

/** What has a place on a page. */
export interface Entry {
  readonly kind: 'section' | 'operation' | 'schema' | 'code' | 'header' | 'scope';
  readonly id: string;
  readonly title: string;
  /** Its number in `pages`. */
  readonly page: number;
  /** Of an operation or a webhook. */
  readonly method?: string;
  readonly path?: string;
  /** The title of its group. */
  readonly group?: string;
}

/** What an operation or a schema has by name. */
type NameKind = 'field' | 'parameter' | 'header' | 'code' | 'scope' | 'event';

/** A name, and the number of each entry that has it: of the first, then how much larger the next one is. */
export type Name = readonly [name: string, ...entries: number[]];

/**
 * The number of a schema, and pairs of what refers to it: the number of an entry, and that of the field in `names.field`, or
 * -1 if all of the entry does.
 */
export type References = readonly number[];

export function searchIndexOf(served: Served): SearchIndex {
  const reference = referenceOf(served);
  const { homes } = reference;
  const pages = [...new Set(['/docs', ...homes.values()])];
  const numbers = new Map(pages.map((place, number) => [place, number]));
  const entries = entriesOf(reference).map((entry) => {
    return { ...entry, page: numbers.get(homes.get(entry.id) ?? '/docs') ?? 0 };
  });
  return { pages, entries, ...namesIn(reference, entries) };
}

type Placeless = Omit<Entry, 'page'>;

function entriesOf(reference: Reference): Placeless[] {
  const { document, model, headers } = reference;
  const { webhooks } = model;
  const all = (values: object = {}) => Object.keys(values);
  const inGroup = (group: Group): Placeless[] => [
    { kind: 'section', id: `group-${group.id}`, title: group.title },
    ...group.operations.map((operation): Placeless => {
      const { id, method, path } = operation;
      return { kind: 'operation', id, title: titleOf(operation), method, path, group: group.title };
    }),
    ...group.groups.flatMap(inGroup),
  ];
  const entry = (kind: Entry['kind'], id: string, title: string): Placeless => ({ kind, id, title });
  return [
    entry('section', 'page-start', document.info.title),
    ...introductionOf(reference).sections.map(({ id, title }) => entry('section', id, title)),
    ...reference.groups.flatMap(inGroup),
    ...webhooks.map((webhook): Placeless => {
      const { method, path } = webhook;
      return {
        kind: 'operation',
        id: webhookId(webhook),
        title: titleOf(webhook),
        method,
        path,
        group: 'Webhooks',
      };
    }),
    entry('section', 'response-headers', 'Response headers'),
    ...[...headers.values()].map(({ id, name }) => entry('header', id, name)),
    entry('section', 'all-schemas', 'Schemas'),
    ...all(document.components?.schemas).map((name) => entry('schema', schemaId(name), name)),
    ...scopeRows(model).map(({ id, name }) => entry('scope', id, name)),
    ...all(document['x-error-codes']).map((name) => entry('code', `error-${name}`, name)),
  ];
}

type Names = Pick<SearchIndex, 'names' | 'references'>;

function namesIn(reference: Reference, entries: readonly Entry[]): Names {
  const { schemas } = reference.model;
  const operations = [
    ...reference.model.operations,
    ...reference.model.webhooks.map((webhook) => ({ ...webhook, id: webhookId(webhook) })),
  ];
  const numbers = new Map(entries.map(({ id }, number) => [id, number]));
  const numberOf = (id: string) => numbers.get(id) ?? -1;
  const inOperations = (namesOf: (operation: Operation) => readonly string[]) =>
    listed(operations.map((operation) => [numberOf(operation.id), namesOf(operation)]));
  const components = Object.entries(reference.document.components?.schemas ?? {});
  const fieldsOf: [number, NamedField[]][] = [
    ...operations.map((operation): [number, NamedField[]] => {
      const sent = callbacksIn(reference, operation).flatMap(({ request }) => bodiesOf(request));
      const bodies = [...bodiesOf(operation), ...sent];
      return [numberOf(operation.id), bodies.flatMap((body) => fieldsIn(schemas, body))];
    }),
    ...components.map(([name, schema]): [number, NamedField[]] => {
      return [numberOf(schemaId(name)), fieldsIn(schemas, schema)];
    }),
  ];
  const fields = listed(
    fieldsOf.map(([number, all]) => [number, all.flatMap(({ name }) => (name === '' ? [] : [name]))]),
  );
  const fieldNumbers = new Map(fields.map(([name], number) => [name, number]));
  const users = new Map<number, Set<string>>();
  for (const [number, all] of fieldsOf)
    for (const { name, schema } of all) {
      if (schema === undefined) continue;
      const target = numberOf(schemaId(schema));
      const user = `${number} ${fieldNumbers.get(name) ?? -1}`;
      users.set(target, (users.get(target) ?? new Set()).add(user));
    }
  return {
    names: {
      field: fields,
      parameter: inOperations(({ parameters }) => parameters.map(({ name }) => name)),
      header: inOperations(({ responses }) =>
        responses.flatMap((response) => specialHeaders(reference, response).map(({ name }) => name)),
      ),
      code: inOperations(({ responses }) => responses.flatMap(({ codes = [] }) => codes)),
      scope: inOperations(({ security }) => security.flat().flatMap(({ scopes }) => scopes)),
      event: inOperations((operation) => eventNamesIn(operation, schemas)),
    },
    references: [...users].map(([target, all]) => [
      target,
      ...[...all].flatMap((user) => user.split(' ').map(Number)),
    ]),
  };
}

/** What the page shows of the bodies of an operation: errors with codes share a schema. */
function bodiesOf({ body, responses }: Operation): unknown[] {
  const shown = responses.filter(({ codes = [] }) => codes.length === 0);
  const content = [body, ...shown].flatMap((part) => part?.content ?? []);
  return content.map(({ itemSchema, declaredSchema }) => itemSchema ?? declaredSchema);
}

/** Sorted names, each with the entries that have it. */
function listed(uses: readonly (readonly [entry: number, names: readonly string[]])[]): Name[] {
  const entriesOf = new Map<string, Set<number>>();
  for (const [entry, names] of uses)
    for (const name of names) entriesOf.set(name, (entriesOf.get(name) ?? new Set()).add(entry));
  return [...entriesOf]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, entries]): Name => {
      const sorted = [...entries].sort((one, other) => one - other);
      return [name, ...sorted.map((entry, index) => entry - (sorted[index - 1] ?? 0))];
    });
}
