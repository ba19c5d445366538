import {
  concreteKindOf,
  fieldStylesOf,
  partTypesOf,
  withProperties,
  type Model,
  type SentMediaType,
  type Schemas,
  wholeWithRules,
} from '@contract-kit/core/model';
import { errorTexts } from '@contract-kit/core/errors';
import { pointerTo, type JsonObject } from '@contract-kit/core/json';
import {
  pairTexts,
  type ParameterReader,
  essenceOf,
  isJson,
  matching,
  type BodyKind,
  nameOfFile,
  parametersIn,
} from '@contract-kit/core/http';
import { QUERY } from '../http/accept-query.ts';
import { JSON_TYPE } from '../http/headers.ts';
import { ApiError, invalidRequest } from '../http/api-error.ts';
import { entriesOf, type FormEntry } from './form.ts';
import { jsonIn } from './exact-number.ts';
import type { Bytes } from './multipart.ts';
import { isCompiledLate, type Check, type CompileSent } from './sent-schemas.ts';
import { decodedText } from './query-texts.ts';
import { structureReader, valued } from './structured-parameter.ts';
import { textIn, utf8Text } from './utf8-text.ts';
import type { FoundViolation } from './violations.ts';

interface Sent {
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly contentDisposition: string;
  /** Reading a form takes them out. */
  readonly chunks: Bytes[] | undefined;
}

/**
 * Reads the body of a request by its media type: undefined if it is absent and optional. Throws an ApiError if it cannot be
 * read. `check` returns what is wrong with it, or fills in defaults.
 */
export type BodyReader = (sent: Sent) => ReadBody;

export interface ReadBody {
  readonly body: unknown;
  readonly check: () => readonly FoundViolation[];
}

const NO_BODY = { body: undefined, check: () => [] };

interface Taken {
  readonly type: string;
  readonly kind: BodyKind;
  readonly isScalar?: true;
  readonly shownType: string;
  readonly scalarIn: (text: string) => unknown;
  readonly check: Check;
  /** Of a form. */
  readonly checkForm: Check;
  readonly fields: JsonObject;
  readonly others: unknown;
  /** The media types that the part of a field may have. */
  readonly partTypes: ReadonlyMap<string, readonly string[]>;
  /** The fields in a style, by their names. */
  readonly styled: ReadonlyMap<string, ParameterReader>;
  readonly schemas: Schemas;
}

/** Compiles, with `compile`, the body of every operation that has one, by operationId. Throws if a schema cannot be compiled. */
export function createBodyReaders(model: Model, compile: CompileSent): ReadonlyMap<string, BodyReader> {
  const { operations, schemas } = model;
  return new Map(
    operations.flatMap(({ id, method, body }): [string, BodyReader][] => {
      if (!body) return [];
      let types = isCompiledLate(model) ? undefined : typesTaken(compile, body.content, schemas);
      const isOptional = !body.required;
      const isTyped = method === QUERY;
      return [
        [
          id,
          (sent) => {
            if (!sent.chunks?.length && isOptional) return NO_BODY;
            // RFC 10008 §2.1.
            if (isTyped && sent.contentType === '') throw invalidRequest(errorTexts.NO_CONTENT_TYPE);
            types ??= typesTaken(compile, body.content, schemas);
            return readBody(types, sent);
          },
        ],
      ];
    }),
  );
}

function readBody(
  types: readonly Taken[],
  { contentType, contentEncoding, contentDisposition, chunks = [] }: Sent,
): ReadBody {
  const type = matching(types, contentType);
  const kind = type && concreteKindOf(type, contentType);
  if (chunks.length === 0 && (contentType === '' || kind === undefined || kind === 'json'))
    throw invalidRequest(errorTexts.NO_BODY);
  const isOfRange = kind !== type?.kind;
  const isEncoded = contentEncoding !== '' && !/^identity$/i.test(contentEncoding);
  // A file is no value.
  if (!type || isEncoded || (isOfRange && kind === 'bytes')) {
    const all = types.map(({ shownType }) => shownType).join(' or ');
    throw new ApiError('unsupported_media_type', errorTexts.otherMediaType(all));
  }
  if (kind === 'form') return readForm(type, contentType, chunks);
  const checked = (body: unknown): ReadBody => ({ body, check: () => type.check(body) });
  if (kind === 'bytes')
    return checked(new File(chunks, nameOfFile(contentDisposition), { type: contentType }));
  const bytes = wholeOf(chunks);
  if (kind === 'json') return checked(jsonIn(utf8Text(bytes), errorTexts.NOT_JSON));
  const charset = parametersIn(contentType)?.get('charset');
  const text = textIn(bytes, charset, errorTexts.NOT_IN_CHARSET);
  const isScalar = type.isScalar && essenceOf(contentType) === 'text/plain';
  return checked(isScalar ? type.scalarIn(text) : text);
}

function wholeOf(chunks: readonly Buffer[]): Buffer {
  const [only, ...more] = chunks;
  return only && more.length === 0 ? only : Buffer.concat(chunks);
}

const isJsonRange = ({ type, kind }: Pick<SentMediaType, 'type' | 'kind'>) =>
  kind === 'json' && type.includes('*');

/** The media type as messages name it. */
export function shownTypeOf(media: Pick<SentMediaType, 'type' | 'kind'>): string {
  return isJsonRange(media) ? JSON_TYPE : media.type;
}

function typesTaken(compile: CompileSent, content: readonly SentMediaType[], schemas: Schemas): Taken[] {
  return content.map((media): Taken => {
    const { type, kind, isScalar, schema = {} } = media;
    const isRange = isJsonRange(media);
    const anything = compile({});
    const fields = schemas.possibleFieldsOf(schema);
    const styled = Object.entries(fieldStylesOf(media)).map(([name, style]) => {
      const field = { ...style, name, in: 'query', schema: schemas.whole(fields[name]) } as const;
      return [name, structureReader(field, schemas)] as const;
    });
    return {
      ...{ type, kind, fields, schemas },
      ...(isScalar && { isScalar }),
      shownType: shownTypeOf(media),
      // JSON text, in which null is not empty.
      scalarIn: (text) => valued(text === 'null' ? '' : text, schema, schemas),
      check: kind === 'json' || kind === 'text' ? compile(schema) : anything,
      checkForm: kind === 'form' || isRange ? compile(withoutBytes(schema, schemas)) : anything,
      others: schemas.othersOf(schema),
      partTypes: new Map(Object.entries(partTypesOf(media))),
      styled: new Map(styled),
    };
  });
}

/** Binary parts of a form are not strings, although the schema says so. */
function withoutBytes(given: unknown, schemas: Schemas): unknown {
  const whole = (schema: unknown) => wholeWithRules(schema, schemas);
  return withProperties(given, whole, (field) => {
    if (schemas.isBinary(field)) return {};
    if (!schemas.isBinary(schemas.itemsOf(field))) return field;
    const { minItems, maxItems } = schemas.whole(field);
    return {
      type: 'array',
      ...(minItems !== undefined && { minItems }),
      ...(maxItems !== undefined && { maxItems }),
    };
  });
}

function readForm(
  { fields, others, partTypes, styled, schemas, checkForm }: Taken,
  contentType: string,
  chunks: Bytes[],
): ReadBody {
  const fieldOf = (name: string) => (Object.hasOwn(fields, name) ? name : name.replace(/\[\]$/, ''));
  const schemaOf = (name: string) => (Object.hasOwn(fields, name) ? fields[name] : others);
  // Reading the form takes it out.
  const styledText = styled.size > 0 ? wholeOf(chunks) : undefined;
  const entries = entriesOf(contentType, chunks, (name, isSentAsFile) =>
    isFile(schemaOf(fieldOf(name)), schemas, isSentAsFile),
  );
  const inStyle = styledText ? styledIn(styledText, styled) : new Map<string, unknown>();
  const isInStyle = (name: string) => [...inStyle.keys()].some((other) => styled.get(other)?.hasName(name));
  const sent = new Map<string, FormEntry[]>();
  for (const entry of entries) {
    if (isInStyle(entry.name)) continue;
    const name = fieldOf(entry.name);
    const known = sent.get(name);
    if (known) known.push(entry);
    else sent.set(name, [entry]);
  }
  const readStyled = [...inStyle].map(([name, value]): [string, unknown] => [
    name,
    valued(value, fields[name], schemas),
  ]);
  const violations: FoundViolation[] = [];
  const readSent = [...sent].map(([name, entries]): [string, unknown] => {
    const schema = schemaOf(name);
    const types = partTypes.get(name) ?? [];
    const isInList = isList(
      schema,
      entries.map(({ value }) => value),
      schemas,
    );
    if (!isInList && entries.length > 1) throw invalidRequest(errorTexts.sentTwice(name));
    if (/^multipart\//i.test(contentType))
      for (const [index, entry] of entries.entries()) {
        const message = wrongType(entry, types, isFile(schema, schemas));
        if (message !== undefined)
          violations.push({ pointer: pointerTo(isInList ? [name, index] : [name]), message });
      }
    const [first] = entries;
    if (isInList) return [name, itemsIn(name, schema, entries, isJson(types[0] ?? ''), schemas)];
    return [name, valueOf(name, schema, first as FormEntry, schemas)];
  });
  // Not an assignment: a field may be called `__proto__`.
  const body = Object.fromEntries([...readSent, ...readStyled]);
  return { body, check: () => [...violations, ...checkForm(body)] };
}

/** Whether a part is a file. Otherwise it is text. Without a type in the schema, the sender decides. */
function isFile(schema: unknown, schemas: Schemas, isSentAsFile = true): boolean {
  const items = schemas.itemsOf(schema);
  if (schemas.isBinary(schema) || schemas.isBinary(items)) return true;
  if (!isSentAsFile) return false;
  const types = schemas.typesOf(schema);
  return types.size === 0 || ([...types].join() === 'array' && schemas.typesOf(items).size === 0);
}

/** Why a part cannot have its media type: in a form most clients send no type with a text, and no other with JSON. */
function wrongType(
  { type, value }: FormEntry,
  allowed: readonly string[],
  isFileField: boolean,
): string | undefined {
  const isTextPlain = typeof value === 'string' && !isFileField && essenceOf(type) === 'text/plain';
  if (allowed.length === 0 || isTextPlain) return undefined;
  if (
    matching(
      allowed.map((item) => ({ type: item })),
      type,
    )
  )
    return undefined;
  return `must be ${allowed.join(' or ')}, not ${type}`;
}

/** The fields that were sent in their styles. Undecoded, because a comma in an item is encoded. */
function styledIn(bytes: Buffer, styled: Taken['styled']): Map<string, unknown> {
  const query = pairTexts(utf8Text(bytes), (text) => decodedText(text, 'body'));
  const texts = { path: {}, query, header: () => [], cookie: () => [] };
  const found = [...styled].map(([name, { read }]): [string, unknown] => [
    name,
    read(texts, (sent) => sent !== name),
  ]);
  return new Map(found.filter(([, value]) => value !== undefined));
}

/** Whether the parts of a field are a list. */
function isList(schema: unknown, sent: readonly unknown[], schemas: Schemas): boolean {
  const types = new Set(schemas.typesOf(schema));
  const isNull = types.delete('null') && sent.length === 1 && sent[0] === '';
  return types.has('array') && !isNull && (types.size === 1 || sent.length > 1);
}

/**
 * The items of a list: each is a part of the media type of the items (OpenAPI 3.1 §4.8.15.1), or all are one part in JSON
 * if its text cannot be an item.
 */
function itemsIn(
  name: string,
  schema: unknown,
  sent: readonly FormEntry[],
  isInJson: boolean,
  schemas: Schemas,
): unknown[] {
  const items = schemas.itemsOf(schema);
  const types = schemas.typesOf(items);
  const [only, ...more] = sent;
  const mayBeItem = types.size === 0 || types.has('array') || types.has('string');
  const text = only?.value;
  if (typeof text === 'string' && more.length === 0 && !schemas.isBinary(items) && (isInJson || !mayBeItem)) {
    const whole = text.trimStart().startsWith('[') ? jsonIn(text, `${name} must be JSON`) : undefined;
    if (Array.isArray(whole) && !(types.has('array') && whole.some((item) => !Array.isArray(item))))
      return whole;
  }
  return sent.map((item) => valueOf(name, items, item, schemas));
}

/** A form field as a value of its type. Objects and lists in it are JSON. */
function valueOf(name: string, schema: unknown, { value: text, type }: FormEntry, schemas: Schemas): unknown {
  const types = schemas.typesOf(schema);
  if (text === '' && types.has('null')) return null;
  if (typeof text !== 'string') return text;
  if (schemas.isBinary(schema)) return new File([text], '', { type });
  const scalars = [...types].filter((type) => type !== 'object' && type !== 'array');
  const mayBeScalar = scalars.length === types.size || (types.has('string') && !/^\s*[[{]/.test(text));
  return mayBeScalar ? valued(text, { type: scalars }, schemas) : jsonIn(text, `${name} must be JSON`);
}
