import { isObject, type JsonObject } from '@contract-kit/core/json';
import {
  componentIn,
  compositionOf,
  othersIn,
  referTo,
  type Operation,
  type Schemas,
} from '@contract-kit/core/model';

/* The names of the fields of a schema, for the search. */

/** A field, with the schema that it has by name; the name is empty if that is all of it. */
export interface NamedField {
  /** `address.city` if an object without a name is between. */
  readonly name: string;
  /** The name of its schema, if it has one. */
  readonly schema?: string;
}

/** The fields of `schema`, without those of the schemas that it refers to by name. */
export function fieldsIn(
  schemas: Schemas,
  schema: unknown,
  name = '',
  around: readonly unknown[] = [],
): NamedField[] {
  if (!isObject(schema) || around.includes(schema)) return [];
  const within = [...around, schema];
  const inside = (child: unknown, place = name) => fieldsIn(schemas, child, place, within);
  const { parts, unions, reference } = compositionOf(schema);
  const component = componentIn('schemas', referTo(reference ?? ''));
  const { properties = {}, items, prefixItems = [], then: consequence, else: other } = schema;
  const fields = Object.entries(properties as JsonObject).flatMap(([property, child]) => {
    const place = name === '' ? property : `${name}.${property}`;
    return [{ name: place }, ...inside(child, place)];
  });
  const children = [
    ...[parts, ...unions.map(({ branches }) => branches)].flat().map((placed) => placed.schema),
    ...[items, ...(prefixItems as unknown[]), othersIn(schema), consequence, other],
    ...(reference !== undefined && component === undefined ? [schemas.resolve(schema)] : []),
  ];
  const named = component === undefined ? [] : [{ name, schema: component }];
  return [...named, ...fields, ...children.flatMap((child) => inside(child))];
}

/** The names of the events that an operation sends. */
export function eventNamesIn({ responses }: Operation, schemas: Schemas): string[] {
  const items = responses.flatMap(({ content }) =>
    content.flatMap(({ kind, itemSchema }) => (kind === 'events' && itemSchema ? [itemSchema] : [])),
  );
  const alternatives = items.flatMap((item) => [item, ...schemas.branchesOf(item)]);
  const events = alternatives.map((item) => schemas.whole(schemas.fieldsOf(item)['event']));
  const values = events.flatMap(({ const: only, enum: listed = [] }) => [only, ...(listed as unknown[])]);
  return values.filter((value) => typeof value === 'string');
}
