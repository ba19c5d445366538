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

/* Schemas, parameters and headers as Markdown. */

/** A field, parameter or header: a row of a table. */
export interface FieldRow {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
  readonly meaning: string;
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
