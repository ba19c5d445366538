import { isObject, type JsonObject } from '../json/index.ts';
import { bodyKindOf, essenceOf, isJson, isWithin, type BodyKind } from '../http/index.ts';
import { isComposed } from './composition.ts';
import { examplesOf, headerOf, objectAt, styleOf } from './described.ts';
import type { Schemas } from './schemas.ts';
import { streamOf } from './stream.ts';
import type {
  MediaType,
  Operation,
  Parameter,
  Pointer,
  RequestBody,
  Response,
  SentMediaType,
  Style,
} from './types.ts';

/** The most bytes of a form, a text or a file, unless `x-body-limit` is set. */
const LARGE = 1_000_000;

/** Keywords that may add fields to those of `properties`, as compositions do. */
const COMPOSING = ['if', 'patternProperties', 'dependentSchemas', 'discriminator'];

export function responseOf(
  status: string,
  value: unknown,
  pointer: Pointer,
  schemas: Schemas,
  mayStream: boolean,
): Response {
  const definition = schemas.resolve(value);
  const content = contentOf(definition, schemas, mayStream ? 'stream' : undefined);
  const media = preferredOf(content);
  const {
    summary = '',
    description = summary,
    'x-error-codes': codes,
  } = definition as {
    readonly summary?: string;
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
    links: Object.entries(objectAt(definition, 'links')).map(([name, link]) => ({
      ...schemas.resolve(link),
      name,
    })),
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
  const content = contentOf(definition, schemas, 'request') as SentMediaType[];
  const media = preferredOf(content);
  if (!media) return undefined;
  const { description } = definition;
  const required = definition['required'] === true;
  const isOfJson = ({ kind }: MediaType) => kind === 'json';
  const limit = operation['x-body-limit'] ?? (content.every(isOfJson) ? undefined : LARGE);
  const isFlat = required && clientContentOf(content, schemas).every(isOfJson);
  const fields = isFlat ? fieldNames(media.schema, parameters, schemas) : undefined;
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
function fieldNames(
  schema: JsonObject | undefined,
  parameters: readonly Parameter[],
  schemas: Schemas,
): string[] | undefined {
  const { type, properties, ...others } = schemas.whole(schema);
  const isOpen =
    Boolean(schemas.othersOf(schema)) || isComposed(others) || COMPOSING.some((keyword) => keyword in others);
  if (type !== 'object' || !isObject(properties) || isOpen) return undefined;
  if (parameters.some(({ name }) => Object.hasOwn(properties, name))) return undefined;
  return Object.keys(properties).filter((name) => !schemas.isAbsentIn('sent', properties[name]));
}

/**
 * The media types that a client uses. With JSON it needs no other writing of the same value, such as XML, which would be a
 * text. A text or a file in another type is another value.
 */
export function clientContentOf<Media extends MediaType>(
  content: readonly Media[],
  schemas: Schemas,
): readonly Media[] {
  const schema = content.find(({ kind }) => kind === 'json')?.declaredSchema;
  const types = schemas.typesOf(schema);
  const fields = Object.values(schemas.possibleFieldsOf(schema));
  const hasFile = [schema, ...fields].some(
    (part) => schemas.isBinary(part) || schemas.isBinary(schemas.itemsOf(part)),
  );
  if (types.size === 0 || types.has('string') || hasFile) return content;
  const text = JSON.stringify(schema);
  const isSame = (media: MediaType) =>
    media.kind !== 'json' && media.form === undefined && JSON.stringify(media.declaredSchema) === text;
  return content.filter((media) => !isSame(media));
}

function contentOf(definition: JsonObject, schemas: Schemas, role?: 'request' | 'stream'): MediaType[] {
  return Object.entries(objectAt(definition, 'content')).map(([type, value]): MediaType => {
    const media = isObject(value) ? value : {};
    const declaredSchema = media['schema'] as JsonObject | undefined;
    const stream = role === 'stream' ? streamOf(type, media, schemas) : undefined;
    const kind = stream?.form.kind ?? kindOf(type, declaredSchema, schemas, role);
    const isScalar = isScalarText(type, declaredSchema, schemas);
    const isOnlyText = kind === 'text' && !isScalar && !schemas.typesOf(declaredSchema).has('string');
    return {
      type,
      kind,
      ...(isScalar && { isScalar }),
      ...(declaredSchema && { schema: isOnlyText ? TEXT : declaredSchema, declaredSchema }),
      ...stream,
      encoding: objectAt(media, 'encoding') as MediaType['encoding'],
      ...examplesOf(media),
    };
  });
}

const TEXT = { type: 'string' };

/** The fields of a form in a URL whose style the contract states (OpenAPI 3.1 §4.8.15.1), by their names. */
export function fieldStylesOf({
  type,
  encoding,
}: MediaType): Record<string, { style: Style; explode: boolean }> {
  if (essenceOf(type) !== 'application/x-www-form-urlencoded') return {};
  const stated = Object.entries(encoding).filter(([, item]) => item.style ?? item.explode !== undefined);
  return Object.fromEntries(stated.map(([name, encoding]) => [name, styleOf(encoding, 'form')]));
}

/** The media types that a part of a form may have, by the names of its fields; without those that may have any. */
export function partTypesOf({ encoding }: Pick<MediaType, 'encoding'>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(encoding).flatMap(([name, { contentType = '' }]) => {
      const types = contentType.split(',').map((type) => type.trim());
      // Bytes are of any type.
      const isAny = types.some((type) => /^(|\*\/\*|application\/octet-stream)$/.test(essenceOf(type)));
      return isAny ? [] : [[name, types] as const];
    }),
  );
}

/**
 * How a body of the type `concrete` is read or written: the type decides, and not the range that it is in. A file is one in
 * every type.
 */
export function concreteKindOf(
  { type, kind }: Pick<MediaType, 'type' | 'kind'>,
  concrete: string,
): MediaType['kind'] {
  return type.includes('*') && kind !== 'bytes' ? bodyKindOf(concrete) : kind;
}

/** Whether `text/plain`, of `type` or in its range, is the text of a number or a boolean. */
export function isScalarText(type: string, schema: unknown, schemas: Schemas): boolean {
  if (!isWithin('text/plain', type)) return false;
  const types = [...schemas.typesOf(schema)].filter((name) => name !== 'null');
  return types.length > 0 && types.every((name) => SCALARS.includes(name));
}

/** The types of values that are not text, and are no whole of others. */
const SCALARS = ['integer', 'number', 'boolean'];

/** A range of media types is JSON, unless its schema is one of bytes, or a request has none. */
function kindOf(type: string, schema: unknown, schemas: Schemas, role?: 'request' | 'stream'): BodyKind {
  const isAnything = isObject(schema) ? Object.keys(schema).length === 0 : schema === undefined;
  const isBytes = (role === 'request' && isAnything) || schemas.isBinary(schema);
  return type.includes('*') && isJson(type) && isBytes ? 'bytes' : bodyKindOf(type);
}

/**
 * What a program gets as the body of a response: the JSON type of its values, such as `array`, and `any` for several;
 * another media type; or `none`.
 */
export function bodyTypeOf(
  { method }: Pick<Operation, 'method'>,
  { media, content }: Pick<Response, 'media' | 'content'>,
  schemas: Schemas,
): string {
  // RFC 9110 §9.3.2: a response to HEAD has no body.
  if (!media || method === 'HEAD') return 'none';
  if (media.kind !== 'json') return media.type;
  return valueTypeOf(
    content.filter(({ kind }) => kind === 'json'),
    schemas,
  );
}

/** The JSON type of the values of `content`, and `any` for several. */
function valueTypeOf(content: readonly MediaType[], schemas: Schemas): string {
  const each = content.flatMap(({ schema }) => {
    const types = [...schemas.typesOf(schema)];
    return types.length > 0 ? types : ['any'];
  });
  const [type = 'any', ...others] = new Set(each);
  return others.length > 0 || type === 'null' ? 'any' : type === 'integer' ? 'number' : type;
}

/** The JSON type of the value of a text, if a response has one. */
export function scalarTypeOf({ content }: Response, schemas: Schemas): string | undefined {
  const scalars = content.filter(({ isScalar }) => isScalar);
  return scalars.length > 0 ? valueTypeOf(scalars, schemas) : undefined;
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
