import { isObject, type JsonObject } from '@contract-kit/core/json';
import { compositionOf, othersIn, referenceIn, type Schemas, type Union } from '@contract-kit/core/model';

/* Names, values and types as Markdown. */

/** A field, parameter or header: a row of a table. */
export interface FieldRow {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
  readonly meaning: string;
}

/** A code span, between more backticks than its text has in a row (CommonMark §6.1). */
export function codeText(value: unknown): string {
  // Nothing shows an empty span.
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  const runs = (text.match(/`+/g) ?? []).map(({ length }) => length);
  const fence = '`'.repeat(Math.max(0, ...runs) + 1);
  return runs.length > 0 ? `${fence} ${text} ${fence}` : fence + text + fence;
}

/** `a, b or c`, each once. */
export function eitherText(texts: readonly string[], word = 'or'): string {
  const all = [...new Set(texts)];
  return all.length > 1 ? `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}` : (all[0] ?? '');
}

export const schemaId = (name: string) => `schema-${name}`;

/** A link to a named schema. */
export function schemaLink(name: string): string {
  return `[${name}](#${schemaId(name)})`;
}

const nameIn = (reference: string) => reference.split('/').at(-1) ?? '';

/** What a schema is called: its name, its title or its type. */
export function labelOf(schemas: Schemas, schema: unknown): string {
  const title = isObject(schema) && referenceIn(schema) === undefined ? schema['title'] : undefined;
  return typeof title === 'string' && title.trim() !== '' ? title : typeText(schemas, schema);
}

/** The type of `schema` in words, with a link to each named schema. */
export function typeText(schemas: Schemas, schema: unknown = true): string {
  if (schema === false) return 'not allowed';
  if (!isObject(schema)) return ANYTHING;
  const { reference, parts, unions, own } = compositionOf(schema);
  if (reference !== undefined) return schemaLink(nameIn(reference));
  const all = [
    ...parts.map((part) => typeText(schemas, part.schema)),
    ...unions.map((union) => unionText(schemas, union)),
  ].filter((text) => text !== ANYTHING);
  // What is not named is `object` again, whose fields are listed.
  const named = all.filter((text) => text !== 'object');
  if (named.length === 0) return all.length > 0 && !('type' in own) ? 'object' : simpleType(schemas, schema);
  const hasMore = [own, ...parts.map((part) => part.schema)].some(
    (part) => isObject(part) && 'properties' in part,
  );
  const isOfParts = parts.length > 0 && hasMore;
  return [...new Set(named), ...(isOfParts ? ['more fields'] : [])].join(' with ');
}

const ANYTHING = 'anything';

/** The alternatives in a few words. */
function unionText(schemas: Schemas, { isExclusive, branches }: Union): string {
  const all = branches.map((branch) => branch.schema);
  const labels = all.filter((branch) => !isNull(schemas, branch)).map((branch) => labelOf(schemas, branch));
  const each = [...labels, ...(all.length > labels.length ? ['null'] : [])];
  const word = new Set(labels).size > 1 ? `${isExclusive ? 'one' : 'any'} of` : '';
  // Of labels that are lists themselves, commas would not tell where one ends.
  const isNested = each.length > 2 && each.some((label) => /, | or /.test(label));
  return isNested ? `${word}: ${[...new Set(each)].join('; ')}` : `${word} ${eitherText(each)}`.trim();
}

export function isNull(schemas: Schemas, schema: unknown): boolean {
  return isObject(schema) && [...schemas.typesOf(schema)].join() === 'null';
}

function simpleType(schemas: Schemas, schema: JsonObject): string {
  const { format } = schema;
  const types = [...schemas.typesOf(schema)].map((type) => {
    if (type === 'array') return `list${itemsText(schemas, schema)}`;
    return type === 'object' ? objectType(schemas, schema) : type;
  });
  const text = eitherText(types) || ANYTHING;
  return typeof format === 'string' ? `${text} (${format})` : text;
}

function itemsText(schemas: Schemas, schema: JsonObject): string {
  const { prefixItems, items } = schema;
  if (!Array.isArray(prefixItems)) return ` of ${typeText(schemas, items)}`;
  const rest = restOf(schema);
  const each = prefixItems.map((item) => typeText(schemas, item));
  const further = isObject(rest) ? [`any number of ${typeText(schemas, rest)}`] : [];
  return ` of ${[...each, ...further].join(', then ')}`;
}

/** What a schema says of the items that it does not name (JSON Schema 2020-12 core §10.3.1.2, §11.2). */
export function restOf({ items, unevaluatedItems }: JsonObject): unknown {
  return items ?? unevaluatedItems;
}

function objectType(schemas: Schemas, schema: JsonObject): string {
  const { properties, patternProperties = {} } = schema;
  const others = [...Object.values(patternProperties as JsonObject), othersIn(schema)].filter(isObject);
  if (properties !== undefined || others.length === 0) return 'object';
  return `map of ${eitherText(others.map((other) => typeText(schemas, other)))}`;
}
