import { isObject, resolve, type JsonObject } from './json-pointer.ts';

/** The methods of a path item, in the order in which operations are listed. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

export function methodsOf(item: object): (typeof METHODS)[number][] {
  return METHODS.filter((method) => method in item);
}

/** A parameter of the contract, without references. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly description?: string;
  readonly required: boolean;
  /** Without a reference at its root and at its items. */
  readonly schema: JsonObject;
  readonly style?: string;
  /** The media type of its text, if it has `content`. */
  readonly content?: string;
  /** Whether the values of a list are repeated, as in `name=a&name=b`. */
  readonly explode: boolean;
}

export interface DescribedOperation {
  readonly definition: JsonObject;
  /** Includes those of its path item. */
  readonly parameters: readonly Parameter[];
}

/** Finds an operation in `document`, and resolves a reference at its path. Throws if there is none. */
export function describedOperation(
  document: JsonObject,
  { method, path }: { readonly method: string; readonly path: string },
): DescribedOperation {
  const { paths } = document;
  const item = dereferenced(isObject(paths) ? paths[path] : undefined, document);
  const definition = item[method.toLowerCase()];
  if (!isObject(definition)) throw new Error(`the contract does not describe ${method} ${path}`);
  const [shared, own] = [item, definition].map((item) => {
    const parameters = (item['parameters'] ?? []) as unknown[];
    return parameters.map((parameter) => parameterOf(parameter, document));
  });
  return { definition, parameters: withShared(shared ?? [], own ?? [], (parameter) => parameter) };
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

/** A parameter of `document`, or the parameter that a reference points to. */
export function parameterOf(value: unknown, document: JsonObject): Parameter {
  const parameter = dereferenced(value, document);
  const { name, in: place, description, required, style, explode } = parameter;
  const [content, media] = Object.entries(objectAt(parameter, 'content'))[0] ?? [];
  const schema = isObject(media) ? (media['schema'] ?? {}) : parameter['schema'];
  const { items, ...outer } = withSiblings(schema, document);
  return {
    name: name as string,
    in: place as Parameter['in'],
    ...(typeof description === 'string' && { description }),
    required: required === true,
    schema: items === undefined ? outer : { ...outer, items: withSiblings(items, document) },
    ...(typeof style === 'string' && { style }),
    ...(content !== undefined && { content }),
    // OpenAPI 3.1 §4.8.12.2: only the style form explodes by default.
    explode: typeof explode === 'boolean' ? explode : isForm(place, style),
  };
}

function isForm(place: unknown, style: unknown): boolean {
  return style === 'form' || (style === undefined && (place === 'query' || place === 'cookie'));
}

/** Whether a parameter is a scalar, or a list of scalars in a query. */
export function isPlainParameter(parameter: Parameter): boolean {
  const { in: place, schema, style, content } = parameter;
  const isPlainStyle = style === undefined || style === (place === 'query' ? 'form' : 'simple');
  const scalar = place === 'query' && schema['type'] === 'array' ? schema['items'] : schema;
  return content === undefined && place !== 'cookie' && isPlainStyle && isScalar(scalar);
}

export function isScalar(schema: unknown): boolean {
  if (!isObject(schema) || ['allOf', 'oneOf', 'anyOf', 'not', 'if', '$ref'].some((key) => key in schema))
    return false;
  const types = [schema['type']].flat().filter((type) => type !== 'null');
  return types.length === 1 && /^(string|integer|number|boolean)$/.test(String(types[0]));
}

/** A schema without a reference at its root, but with the keywords next to it (JSON Schema 2020-12 core §8.2.3.1). */
function withSiblings(schema: unknown, document: JsonObject): JsonObject {
  if (!isObject(schema) || typeof schema['$ref'] !== 'string') return dereferenced(schema, document);
  const { $ref: reference, ...siblings } = schema;
  const target = withSiblings(resolve(document, reference), document);
  const isAnnotation = (key: string) => /^(title|description|default|examples?|deprecated|x-.*)$/.test(key);
  const clashes = Object.keys(siblings).some((key) => key in target && !isAnnotation(key));
  return clashes ? { allOf: [target, siblings] } : { ...target, ...siblings };
}

/** `value` after its references are resolved; an empty object if it is not one. */
export function dereferenced<Value extends object>(value: Value, document: object): Value;
export function dereferenced(value: unknown, document: object): JsonObject;
export function dereferenced(value: unknown, document: object): JsonObject {
  if (!isObject(value)) return {};
  const { $ref: reference } = value;
  return typeof reference === 'string' ? dereferenced(resolve(document, reference), document) : value;
}

/** The object in a field of another; an empty one if there is none. */
export function objectAt(value: JsonObject, field: string): JsonObject {
  const child = value[field];
  return isObject(child) ? child : {};
}
