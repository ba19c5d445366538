import type { Contract } from '@kit/contract';
import { fieldStylesOf, modelOf, type MediaType, type Schemas } from '@kit/contract/model';
import { isObject, type JsonObject } from '@kit/contract/json-pointer';
import { matching, type BodyKind } from '@kit/contract/media-type';
import { COMPOSITIONS, withSubschemas } from '@kit/contract/schema-view';
import { ApiError, invalidRequest } from '../http/api-error.ts';
import { entriesOf } from './form.ts';
import { jsonIn, roundedNumberIn } from './exact-number.ts';
import { sentSchemas, type Check } from './sent-schemas.ts';
import { queryTexts } from './query-texts.ts';
import { structureReader, valued } from './structured-parameter.ts';
import { textOf as violationText } from './violations.ts';

interface Sent {
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly bytes: Buffer | undefined;
}

/**
 * Reads the body of a request by its media type: undefined if it is absent and optional. `check` validates it and fills
 * in defaults. Both throw an ApiError for an invalid body.
 */
export type BodyReader = (operationId: string, sent: Sent) => ReadBody | Promise<ReadBody>;

interface ReadBody {
  readonly body: unknown;
  readonly check: () => void;
}

const NO_BODY = { body: undefined, check: () => undefined };

interface Taken {
  readonly type: string;
  readonly kind: BodyKind;
  readonly check: Check;
  /** Of a form. */
  readonly fields: JsonObject;
  readonly others: unknown;
  /** The fields in a style, by their names. */
  readonly styled: ReadonlyMap<string, ReturnType<typeof structureReader>>;
  readonly schemas: Schemas;
}

/** Compiles the body of every operation that has one. Throws if a schema cannot be compiled. */
export function createBodyReader({ document, operations }: Contract): BodyReader {
  const compile = sentSchemas(document);
  const model = modelOf(document);
  const taken = new Map(
    Object.entries(operations).flatMap(([id, operation]) => {
      const { body } = model.operationAt(operation);
      return body ? [[id, typesTaken(compile, body.content, model.schemas)] as const] : [];
    }),
  );

  return (operationId, sent) => {
    const expected = operations[operationId]?.body;
    if (!expected || (!sent.bytes?.length && expected === 'optional')) return NO_BODY;
    return readBody(taken.get(operationId) ?? [], sent);
  };
}

async function readBody(
  types: readonly Taken[],
  { contentType, contentEncoding, bytes }: Sent,
): Promise<ReadBody> {
  const type = matching(types, contentType);
  if (!bytes?.length && (contentType === '' || type === undefined || type.kind === 'json'))
    throw invalidRequest('The body is missing');
  if (!type || !/^(identity)?$/i.test(contentEncoding)) {
    const all = types.map((taken) => taken.type).join(' or ');
    throw new ApiError('unsupported_media_type', `The body must be ${all}, and not encoded.`);
  }
  const body = await read(type, contentType, bytes ?? Buffer.alloc(0));
  return {
    body,
    check() {
      const violations = type.check(body);
      if (violations.length > 0) throw invalidRequest(violationText('body', violations), violations);
    },
  };
}

function typesTaken(
  compile: ReturnType<typeof sentSchemas>,
  content: readonly MediaType[],
  schemas: Schemas,
): Taken[] {
  return content.map((media): Taken => {
    const { type, kind, schema = {} } = media;
    const isValue = kind === 'json' || (kind === 'text' && schemas.typesOf(schema).has('string'));
    const check = compile(kind === 'form' ? withoutBytes(schema, schemas) : isValue ? schema : {});
    const fields = schemas.possibleFieldsOf(schema);
    const styled = Object.entries(fieldStylesOf(media)).map(([name, style]) => {
      const field = { ...style, name, in: 'query', schema: schemas.whole(fields[name]) } as const;
      return [name, structureReader(field, schemas)] as const;
    });
    return { type, kind, check, fields, others: schemas.othersOf(schema), styled: new Map(styled), schemas };
  });
}

/** Binary parts of a form are not strings, although the schema says so. */
function withoutBytes(given: unknown, schemas: Schemas): unknown {
  if (!isObject(given)) return given;
  return withSubschemas(schemas.whole(given), (child, place) => {
    if (COMPOSITIONS.some((item) => item === place)) return withoutBytes(child, schemas);
    if (place !== 'properties') return child;
    if (schemas.isBinary(child)) return {};
    return schemas.isBinary(schemas.itemsOf(child)) ? { type: 'array' } : child;
  });
}

async function read(taken: Taken, contentType: string, bytes: Buffer): Promise<unknown> {
  if (taken.kind === 'bytes') return new Uint8Array(bytes);
  if (taken.kind === 'form') return readForm(taken, contentType, bytes);
  return taken.kind === 'json' ? readJson(bytes) : textOf(bytes);
}

/** JSON is UTF-8 (RFC 8259 §8.1). */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest('The body must be text in UTF-8');
  }
}

function readJson(bytes: Buffer): unknown {
  const text = textOf(bytes);
  const body = jsonIn(text, 'The body must be valid JSON');
  const rounded = roundedNumberIn(text);
  if (rounded !== undefined)
    throw invalidRequest(`The number ${rounded.slice(0, 40)} in the body would be rounded`);
  return body;
}

async function readForm(
  { fields, others, styled, schemas }: Taken,
  contentType: string,
  bytes: Buffer,
): Promise<JsonObject> {
  const values = new Map<string, (string | Uint8Array)[]>();
  const inStyle = styled.size > 0 ? styledIn(bytes, styled) : new Map<string, unknown>();
  const isInStyle = (sent: string) => [...inStyle.keys()].some((name) => styled.get(name)?.hasName(sent));
  for (const [name, value] of await entriesOf(contentType, bytes)) {
    if (isInStyle(name)) continue;
    const key = Object.hasOwn(fields, name) ? name : name.replace(/\[\]$/, '');
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  const readStyled = [...inStyle].map(([name, value]): [string, unknown] => [
    name,
    valued(value, fields[name], schemas),
  ]);
  // Not an assignment: a field may be called `__proto__`.
  return Object.fromEntries(
    [...values]
      .map(([name, [first, ...more]]): [string, unknown] => {
        const schema = Object.hasOwn(fields, name) ? fields[name] : others;
        const types = schemas.typesOf(schema);
        if (types.has('array') && (types.size === 1 || more.length > 0)) {
          const items = schemas.itemsOf(schema);
          return [name, [first, ...more].map((item) => valueOf(name, items, item, schemas))];
        }
        if (more.length > 0) throw invalidRequest(`${name} is sent twice`);
        return [name, valueOf(name, schema, first, schemas)];
      })
      .concat(readStyled),
  );
}

/** The fields that were sent in their styles. Undecoded, because a comma in an item is encoded. */
function styledIn(bytes: Buffer, styled: Taken['styled']): Map<string, unknown> {
  const query = queryTexts(`?${bytes.toString('latin1')}`, { has: () => true });
  const texts = { path: {}, query, header: () => [], cookie: () => [] };
  const found = [...styled].map(([name, { structureOf }]): [string, unknown] => [
    name,
    structureOf(texts, (sent) => sent !== name),
  ]);
  return new Map(found.filter(([, value]) => value !== undefined));
}

/** A form field as a value of its type. Objects and lists in it are JSON. */
function valueOf(name: string, schema: unknown, sent: unknown, schemas: Schemas): unknown {
  const types = schemas.typesOf(schema);
  if (sent === '' && types.has('null')) return null;
  if (schemas.isBinary(schema)) return typeof sent === 'string' ? new Uint8Array(Buffer.from(sent)) : sent;
  if (typeof sent !== 'string' && types.size === 0) return sent;
  // A part with the name of a file is bytes, also if it is JSON or text (RFC 7578 §4.2).
  const text = typeof sent === 'string' ? sent : textOf(sent as Buffer);
  if (!types.has('object') && !types.has('array')) return valued(text, schema, schemas);
  return jsonIn(text, `${name} must be JSON`);
}
