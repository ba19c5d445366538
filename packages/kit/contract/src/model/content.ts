import { isObject, type JsonObject } from '../json-pointer.ts';
import { bodyKindOf, essenceOf, isJson, type BodyKind } from '../media-type.ts';
import { examplesOf, headerOf, objectAt } from './described.ts';
import type { Schemas } from './schemas.ts';
import type { MediaType, Parameter, Pointer, RequestBody, Response, Style } from './types.ts';

/** The most bytes of a form, a text or a file, unless `x-body-limit` is set. */
const LARGE = 1_000_000;

/** Keywords that may add fields to those of `properties`. */
const COMPOSING = [
  '$ref',
  'allOf',
  'oneOf',
  'anyOf',
  'if',
  'patternProperties',
  'dependentSchemas',
  'discriminator',
];

export function responseOf(status: string, value: unknown, pointer: Pointer, schemas: Schemas): Response {
  const definition = schemas.resolve(value);
  const content = contentOf(definition, schemas);
  const media = preferredOf(content);
  const { description = '', 'x-error-codes': codes } = definition as {
    readonly description?: string;
  } & JsonObject;
  return {
    status,
    pointer,
    description,
    headers: Object.entries(objectAt(definition, 'headers')).map(([name, header]) =>
      headerOf(name, header, schemas),
    ),
    content,
    ...(media && { media }),
    ...(Array.isArray(codes) && { codes: codes as string[] }),
    definition,
  };
}

/** The body of an operation. Its fields are parameters of the call if that is unambiguous. */
export function requestBodyOf(
  operation: JsonObject,
  parameters: readonly Parameter[],
  schemas: Schemas,
): RequestBody | undefined {
  const definition = schemas.resolve(operation['requestBody']);
  const content = contentOf(definition, schemas, 'request');
  const media = preferredOf(content);
  if (!media) return undefined;
  const { description } = definition;
  const required = definition['required'] === true;
  const isJsonAlone = content.every(({ kind }) => kind === 'json');
  const limit = operation['x-body-limit'] ?? (isJsonAlone ? undefined : LARGE);
  const fields = isJsonAlone && required ? fieldsOf(media.schema, parameters, schemas) : undefined;
  return {
    required,
    content,
    media,
    sentType: media.kind === 'bytes' && isJson(media.type) ? 'application/octet-stream' : media.type,
    ...(typeof description === 'string' && { description }),
    ...(typeof limit === 'number' && { limit }),
    ...(fields && { fields }),
  };
}

/** The names of the fields of an object that has no others, and none with the name of a parameter. */
function fieldsOf(
  schema: JsonObject | undefined,
  parameters: readonly Parameter[],
  schemas: Schemas,
): string[] | undefined {
  const { type, properties, additionalProperties, ...others } = schemas.whole(schema);
  const isOpen = Boolean(additionalProperties) || COMPOSING.some((keyword) => keyword in others);
  if (type !== 'object' || !isObject(properties) || isOpen) return undefined;
  if (parameters.some(({ name }) => Object.hasOwn(properties, name))) return undefined;
  return Object.keys(properties).filter((name) => !schemas.has('readOnly', properties[name]));
}

function contentOf(definition: JsonObject, schemas: Schemas, role?: 'request'): MediaType[] {
  return Object.entries(objectAt(definition, 'content')).map(([type, value]): MediaType => {
    const media = isObject(value) ? value : {};
    const { schema, itemSchema } = media;
    return {
      type,
      kind: kindOf(type, schema, schemas, role),
      ...(schema !== undefined && { schema: schema as JsonObject }),
      ...(itemSchema !== undefined && { itemSchema: itemSchema as JsonObject }),
      encoding: objectAt(media, 'encoding') as MediaType['encoding'],
      ...examplesOf(media),
    };
  });
}

/** The fields of a form in a URL whose style the contract states (OpenAPI 3.1 §4.8.15.1), by their names. */
export function fieldStylesOf({
  type,
  encoding,
}: MediaType): Record<string, { style: Style; explode: boolean }> {
  if (essenceOf(type) !== 'application/x-www-form-urlencoded') return {};
  const stated = Object.entries(encoding).filter(([, item]) => item.style ?? item.explode !== undefined);
  return Object.fromEntries(
    stated.map(([name, { style = 'form', explode = style === 'form' }]) => [name, { style, explode }]),
  );
}

/** A range of media types is JSON, unless its schema is one of bytes, or a request has none. */
function kindOf(type: string, schema: unknown, schemas: Schemas, role?: 'request'): BodyKind {
  const isAnything = isObject(schema) ? Object.keys(schema).length === 0 : schema === undefined;
  const isBytes = (role === 'request' && isAnything) || schemas.isBinary(schema);
  return type.includes('*') && isJson(type) && isBytes ? 'bytes' : bodyKindOf(type);
}

/** The media type that is sent if nothing asks for another: JSON if possible, otherwise the first. */
export function preferredOf<Media extends Pick<MediaType, 'type'>>(
  content: readonly Media[],
): Media | undefined {
  return (
    content.find(({ type }) => essenceOf(type) === 'application/json') ??
    content.find(({ type }) => isJson(type)) ??
    content[0]
  );
}
