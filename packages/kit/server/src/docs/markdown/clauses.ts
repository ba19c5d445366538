import { isObject, type JsonObject } from '@contract-kit/core/json';
import {
  compositionOf,
  isAnnotation,
  isComposition,
  REFERENCE,
  taggedIn,
  type Schemas,
} from '@contract-kit/core/model';
import { codeText, eitherText, restOf, typeText } from './fields.ts';
import { isLimit, limitsIn } from './meaning.ts';

/** When a value fits a schema, as a clause: "`kind` is `home` and `street` is present". `subject` is what the value is called. */
export function clauseOf(schemas: Schemas, schema: unknown, subject = ''): string {
  const it = subject ? codeText(subject) : 'it';
  if (schema === false) return 'never';
  if (!isObject(schema)) return `${it} is anything`;
  if (!Object.keys(schema).every(isTold)) return `${it} fits ${codeText(schema)}`;
  const { reference, parts, unions, own } = compositionOf(schema);
  const {
    properties = {},
    required = [],
    not,
  } = own as { properties?: JsonObject; required?: string[] } & JsonObject;
  const inner = (one: unknown) => clauseOf(schemas, one, subject);
  const pathTo = (name: string) => (subject ? `${subject}.${name}` : name);
  const isOfFields = Object.keys(properties).length + required.length > 0;
  const clauses = [
    ...parts.map((part) => inner(part.schema)),
    ...unions.map((union) => `(${union.branches.map((branch) => inner(branch.schema)).join(' or ')})`),
    ...required
      .filter((name) => !Object.hasOwn(properties, name))
      .map((name) => `${codeText(pathTo(name))} is present`),
    ...Object.entries(properties).map(([name, property]) => clauseOf(schemas, property, pathTo(name))),
    ...(not === undefined ? [] : [`not (${inner(not)})`]),
    ...(isOfFields ? [] : [valueClause(schemas, reference === undefined ? own : schema, it)]),
  ].filter(Boolean);
  return clauses.length > 0 ? clauses.join(' and ') : `${it} is ${typeText(schemas, schema)}`;
}

/** Whether a clause has words for a keyword. */
function isTold(keyword: string): boolean {
  return WORDED.includes(keyword) || isComposition(keyword) || isLimit(keyword) || isAnnotation(keyword);
}

const WORDED = [REFERENCE, 'type', 'format', 'properties', 'required', 'not'];

/** The clause of what a value itself is; empty if `schema` says nothing of it. */
function valueClause(schemas: Schemas, schema: JsonObject, it: string): string {
  const { const: only, enum: values = only === undefined ? undefined : [only], ...others } = schema;
  if (Array.isArray(values)) return `${it} is ${eitherText(values.map(codeText))}`;
  const type = typeText(schemas, schema);
  const words = [
    ...(type === 'anything' ? [] : [type]),
    // As parts of one sentence.
    ...limitsIn([others]).map((text) => text[0]?.toLowerCase() + text.slice(1, -1)),
  ];
  const verb = words[0]?.startsWith('matches') ? '' : ' is';
  return words.length > 0 ? `${it}${verb} ${words.join(', ')}` : '';
}

/** Sentences about the items and the fields of a value. */
export function rulesIn(schemas: Schemas, part: JsonObject): string[] {
  const { prefixItems, not, contains, minContains = 1, maxContains, propertyNames } = part;
  const dependent = Object.entries((part['dependentRequired'] ?? {}) as Record<string, string[]>);
  const times = [
    `At least ${codeText(minContains)}`,
    ...(maxContains === undefined ? [] : [`at most ${codeText(maxContains)}`]),
  ];
  return [
    ...(Array.isArray(prefixItems) && restOf(part) === false ? ['No further items.'] : []),
    ...(contains === undefined
      ? []
      : [
          `${times.join(' and ')} ${(maxContains ?? minContains) === 1 ? 'item' : 'items'} where ${clauseOf(schemas, contains)}.`,
        ]),
    ...(propertyNames === undefined ? [] : [`Each name: ${clauseOf(schemas, propertyNames)}.`]),
    ...dependent.map(
      ([name, names]) => `With ${codeText(name)}, required: ${names.map(codeText).join(', ')}.`,
    ),
    ...(not === undefined ? [] : [`Not allowed if ${clauseOf(schemas, not)}.`]),
  ];
}

/** Names the property that tells alternatives apart, if nothing says which they are. */
export function discriminatorIn(schemas: Schemas, part: JsonObject): string[] {
  const { discriminator } = part;
  if (!isObject(discriminator) || taggedIn(part, schemas)) return [];
  return [`Told apart by ${codeText(discriminator['propertyName'])}.`];
}
