import { isObject, type JsonObject } from '../json/index.ts';
import { isJson } from '../http/index.ts';
import { isComposed } from './composition.ts';
import type { Described, Parameter, Pointer, Schemas, Style } from './types.ts';

/** A parameter of the contract, or the parameter that a reference points to. */
export function parameterOf(value: unknown, pointer: Pointer, schemas: Schemas): Parameter {
  const parameter = schemas.resolve(value);
  const place = parameter['in'] as Parameter['in'];
  const name = String(parameter['name']);
  return { ...describedOf(name, parameter, schemas, place), in: place, input: name, pointer };
}

/** A header of a response by its name. */
export function headerOf(name: string, value: unknown, schemas: Schemas): Described {
  return describedOf(name, schemas.resolve(value), schemas, 'header');
}

function describedOf(name: string, object: JsonObject, schemas: Schemas, place: Parameter['in']): Described {
  const { description, required, deprecated, example, examples } = object;
  const [content, media] = Object.entries(objectAt(object, 'content'))[0] ?? [];
  const shown = isObject(media) ? media : object;
  const stated = objectAt(shown, 'schema');
  // It is no property, and goes one way (OpenAPI 3.1 §4.8.24.1). Its schema may be that of a property.
  const { readOnly, writeOnly, ...whole } = schemas.whole(stated);
  const written = (readOnly ?? writeOnly) === undefined ? stated : whole;
  const { items, ...outer } = whole;
  const { style, explode } = styleOf(object, defaultStyle(place));
  return {
    name,
    required: required === true,
    schema: items === undefined ? outer : { ...outer, items: isObject(items) ? schemas.whole(items) : items },
    written,
    style,
    explode,
    ...(typeof description === 'string' && { description }),
    ...(deprecated === true && { deprecated }),
    ...(content !== undefined && { content }),
    ...examplesOf({ example, examples, ...(media as object) }),
  };
}

/** OpenAPI 3.2 §4.12.2.2: only the styles form and cookie explode by default. */
export function styleOf(
  stated: { readonly style?: Style; readonly explode?: boolean },
  usual: Style,
): { readonly style: Style; readonly explode: boolean } {
  const { style = usual, explode = style === 'form' || style === 'cookie' } = stated;
  return { style, explode };
}

/** OpenAPI 3.1 §4.8.12.2. */
function defaultStyle(place: Parameter['in']): Style {
  return place === 'query' || place === 'cookie' ? 'form' : 'simple';
}

/** The examples of an object, for `exampleOf`. */
export function examplesOf({ example, examples }: JsonObject): Pick<Described, 'example' | 'examples'> {
  return {
    ...(example !== undefined && { example }),
    ...(isObject(examples) && { examples: examples as NonNullable<Described['examples']> }),
  };
}

/** Identifies a parameter: header names are case-insensitive. */
export function parameterKey({ in: place, name }: { readonly in: string; readonly name: string }): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

/**
 * The parameters of a path item, then those of one of its operations, which replace shared ones with the same key
 * (OpenAPI 3.1 §4.8.9). `resolve` follows references.
 */
export function withShared<Each>(
  shared: readonly Each[],
  own: readonly Each[],
  resolve: (item: Each) => Parameters<typeof parameterKey>[0],
): Each[] {
  const taken = own.map((parameter) => parameterKey(resolve(parameter)));
  return [...shared.filter((parameter) => !taken.includes(parameterKey(resolve(parameter)))), ...own];
}

/** Whether a value is a scalar, or a list of scalars in a query, in the default style of its place. */
export function isInUsualStyle({
  in: place,
  schema,
  style,
  content,
}: Pick<Parameter, 'in' | 'schema' | 'style' | 'content'>): boolean {
  const scalar = place === 'query' && schema['type'] === 'array' ? schema['items'] : schema;
  return content === undefined && place !== 'cookie' && style === defaultStyle(place) && isScalar(scalar);
}

/** How a parameter is written; undefined for a scalar, or a list that repeats the name in a query, in the usual style. */
export function writtenStyleOf(
  parameter: Pick<Parameter, 'in' | 'schema' | 'style' | 'explode' | 'content'>,
): { readonly style: string; readonly explode: boolean } | undefined {
  const { schema, style, explode } = parameter;
  if (isInUsualStyle(parameter) && (schema['type'] !== 'array' || explode)) return undefined;
  return { style: isInJson(parameter) ? 'json' : style, explode };
}

/** Whether a parameter is a 64-bit integer, or a list of them. */
export function isInt64Parameter({ schema }: Pick<Described, 'schema'>, schemas: Schemas): boolean {
  return schemas.whole(schema['items'] ?? schema)['format'] === 'int64';
}

/** Whether the text of a value is JSON. */
export function isInJson({ content }: Pick<Described, 'content'>): boolean {
  return content !== undefined && isJson(content);
}

/** Whether a schema states one scalar type, without compositions. */
export function isScalar(schema: unknown): boolean {
  if (!isObject(schema) || isComposed(schema) || 'not' in schema || 'if' in schema) return false;
  const types = [schema['type']].flat().filter((type) => type !== 'null');
  return types.length === 1 && /^(string|integer|number|boolean)$/.test(String(types[0]));
}

/** The object in a field of another; an empty one if there is none. */
export function objectAt(value: JsonObject, field: string): JsonObject {
  const child = value[field];
  return isObject(child) ? child : {};
}
