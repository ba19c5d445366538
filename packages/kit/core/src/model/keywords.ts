/* The keywords of JSON Schema 2020-12 whose values are schemas (core §10, §11), and what they do. */
import { isObject, type JsonObject } from '../json/index.ts';

/** All of several schemas hold. */
export const ALL_OF = 'allOf';

/** One of several schemas holds. */
export const UNIONS = ['oneOf', 'anyOf'] as const;

/** Schemas for the value that the schema around them describes. */
export const COMPOSITIONS = [ALL_OF, ...UNIONS] as const;

/** Schemas that hold for some values only, or need not hold. */
export const CONDITIONS: readonly string[] = ['not', 'if', 'then', 'else', 'dependentSchemas', 'contains'];

/** Schemas that hold for the value around them if another does (JSON Schema 2020-12 core §10.2.2). */
export function consequencesOf({ then, else: otherwise, dependentSchemas }: JsonObject): unknown[] {
  const dependent = isObject(dependentSchemas) ? Object.values(dependentSchemas) : [];
  return [then, otherwise, ...dependent].filter(isObject);
}

/** Keywords whose schemas describe the same value as the schema around them (JSON Schema 2020-12 core §10.2). */
export const IN_PLACE: readonly string[] = [
  ...COMPOSITIONS,
  ...CONDITIONS.filter((keyword) => keyword !== 'contains'),
];

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
export const SUBSCHEMAS: Readonly<Record<'single' | 'list' | 'map', readonly string[]>> = {
  single: [
    ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
    ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
  ],
  list: [...COMPOSITIONS, 'prefixItems'],
  map: ['properties', 'patternProperties', 'dependentSchemas', '$defs'],
};

export function isUnion(keyword: string): boolean {
  return UNIONS.some((item) => item === keyword);
}

export function isComposition(keyword: string): boolean {
  return COMPOSITIONS.some((item) => item === keyword);
}

const ANNOTATIONS = ['title', 'description', '$comment', 'example', 'examples', 'deprecated', 'externalDocs'];

/** Whether a keyword does not constrain values. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.includes(keyword) || keyword.startsWith('x-');
}

/** Where a value is used: in a request, in the handler's input, or in a response. */
export type View = 'sent' | 'received' | 'response';

/** The keyword of properties that only exist in the other direction (OpenAPI 3.1 §4.8.24.1). */
export const ELSEWHERE = { sent: 'readOnly', received: 'readOnly', response: 'writeOnly' } as const;
