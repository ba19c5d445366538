import type { JsonObject } from '@contract-kit/core/json';
import { codeText } from './fields.ts';
import { linkTo, sentencesOf } from './blocks.ts';
import type { Link } from '../openapi.ts';

/* What the keywords of a schema say of a value, as sentences in Markdown. */

/** Of a value in which texts and others are mixed, texts have their quotes. */
function codes(values: unknown): string[] {
  const all = values as readonly unknown[];
  const isMixed =
    all.some((value) => typeof value === 'string') &&
    all.some((value) => typeof value !== 'string' && value !== null);
  return all.map((value) => codeText(isMixed ? JSON.stringify(value) : value));
}

const bound = (before: string) => (value: unknown) => `${before} ${codeText(value)}.`;
const count = (before: string, one: string, more: string) => (value: unknown) =>
  `${before} ${codeText(value)} ${value === 1 ? one : more}.`;
const when = (text: string) => (value: unknown) => (value === true ? text : '');

type Phrase = (value: unknown, schema: JsonObject) => string;

/** The text for each keyword that limits a value, in this order. */
const LIMITS: Readonly<Record<string, Phrase>> = {
  const: bound('Always'),
  enum: (values, schema) => `One of ${describedCodes(values, schema)}.`,
  'x-extensible-enum': (values) => `One of ${codes(values).join(', ')}; new values may be added.`,
  minimum: bound('At least'),
  exclusiveMinimum: bound('More than'),
  maximum: bound('At most'),
  exclusiveMaximum: bound('Less than'),
  multipleOf: bound('A multiple of'),
  minLength: count('At least', 'character', 'characters'),
  maxLength: count('At most', 'character', 'characters'),
  pattern: bound('Matches'),
  contentEncoding: bound('Encoded as'),
  contentMediaType: bound('Its content is'),
  minItems: count('At least', 'item', 'items'),
  maxItems: count('At most', 'item', 'items'),
  uniqueItems: when('Items are unique.'),
  minProperties: count('At least', 'entry', 'entries'),
  maxProperties: count('At most', 'entry', 'entries'),
};

/** The text for each keyword of which one counts, the last. */
const NOTES: Readonly<Record<string, Phrase>> = {
  additionalProperties: (value) => othersText(value),
  unevaluatedProperties: (value) => othersText(value),
  default: bound('Default:'),
  example: bound('Example:'),
  examples: (values) => (Array.isArray(values) ? `Examples: ${values.map(codeText).join(', ')}.` : ''),
  xml: xmlText,
  externalDocs: (value) => linkTo(value as Link),
};

const MARKS: Readonly<Record<string, Phrase>> = {
  deprecated: when('**Deprecated.**'),
  readOnly: when('In responses only.'),
  writeOnly: when('In requests only.'),
};

export const isLimit = (keyword: string) => Object.hasOwn(LIMITS, keyword);

/** What `parts`, which all hold, say of a value: each sentence once. */
export function limitsIn(parts: readonly JsonObject[]): string[] {
  return [...new Set(parts.flatMap((part) => sentences(LIMITS, part)))];
}

/** The whole text about a value of `parts`, the last of which describes it. `more` is what they say of its items and fields. */
export function meaningOf(parts: readonly JsonObject[], more: readonly string[] = []): string {
  // The last one counts.
  const last: JsonObject = Object.assign({}, ...parts) as JsonObject;
  const { description } = last;
  return sentencesOf([
    typeof description === 'string' ? description.trim() : '',
    ...sentences(MARKS, last),
    ...limitsIn(parts),
    ...more,
    ...sentences(NOTES, last),
  ]);
}

function sentences(phrases: Readonly<Record<string, Phrase>>, schema: JsonObject): string[] {
  return Object.entries(phrases).flatMap(([keyword, phrase]) => {
    const text = Object.hasOwn(schema, keyword) ? phrase(schema[keyword], schema) : '';
    return text ? [text] : [];
  });
}

function othersText(value: unknown): string {
  return value === true ? 'Other fields may be added.' : value === false ? 'No other fields.' : '';
}

/** Values with what tools note about each of them. */
function describedCodes(values: unknown, schema: JsonObject): string {
  const notes = schema['x-enum-descriptions'] ?? schema['x-enumDescriptions'] ?? schema['x-enumNames'];
  const all = values as readonly unknown[];
  return codes(values)
    .map((code, index) => {
      const key = Array.isArray(notes) ? index : String(all[index]);
      const note: unknown = Object.hasOwn(Object(notes) as object, key)
        ? (notes as JsonObject)[key]
        : undefined;
      return typeof note === 'string' ? `${code} (${note.trim()})` : code;
    })
    .join(', ');
}

/** How XML writes it (OpenAPI 3.2 §4.26), if that is not an element of its name. */
function xmlText(value: unknown): string {
  const {
    name,
    attribute,
    wrapped,
    nodeType = attribute === true ? 'attribute' : undefined,
  } = Object(value) as JsonObject;
  const words = [
    ...(typeof nodeType === 'string' ? [nodeType] : []),
    ...(wrapped === true ? ['within an element'] : []),
    ...(typeof name === 'string' ? [`named ${codeText(name)}`] : []),
  ];
  return words.length > 0 ? `In XML: ${words.join(', ')}.` : '';
}
