import { isObject, type JsonObject } from '../json/index.ts';
import { essenceOf, isJson, type StreamForm } from '../http/index.ts';
import { eitherOf } from './composition.ts';
import { withTags } from './decided-schema.ts';
import { merged, type Schemas } from './schemas.ts';
import { statedTags } from './tags.ts';

/** Alternatives may lead back to themselves. */
const MAX_DEPTH = 8;

const EVENTS = 'text/event-stream';

/** The media types of streams: server-sent events, and a value of JSON on each line. */
export const STREAM_TYPES: readonly string[] = [EVENTS, 'application/jsonl', 'application/x-ndjson'];

/** The body of a response as a stream of items. */
export interface Stream {
  readonly form: StreamForm;
  /** The schema of what handlers yield and clients get: of a line, or of an event with its data decoded. */
  readonly itemSchema: JsonObject;
}

/** An alternative of an event. */
export interface EventAlternative {
  /** The names that it may have; undefined if it may have any. */
  readonly names: readonly string[] | undefined;
  readonly data: StreamForm['data'];
  readonly schema: JsonObject;
  /** The fields that the contract describes: the schema has all that an event may have. */
  readonly stated: readonly string[];
}

/** A media type of a response as a stream; undefined if the contract does not describe its items. */
export function streamOf(type: string, media: JsonObject, schemas: Schemas): Stream | undefined {
  const { itemSchema } = media;
  const essence = essenceOf(type);
  if (!STREAM_TYPES.includes(essence)) return undefined;
  if (essence !== EVENTS)
    return isSchema(itemSchema)
      ? { form: { kind: 'lines', data: 'json' }, itemSchema: objectOf(itemSchema) }
      : undefined;
  const alternatives = eventsIn(media, schemas);
  if (alternatives.length === 0) return undefined;
  return {
    form: formOf(alternatives),
    itemSchema: eitherOf(alternatives.map((alternative) => alternative.schema)) ?? {},
  };
}

/** The alternatives of the events of a media type; none if it does not describe them. */
export function eventsIn({ schema, itemSchema }: JsonObject, schemas: Schemas): EventAlternative[] {
  if (isSchema(itemSchema)) return eventsOf(itemSchema, schemas);
  return isObject(schema) && Object.keys(schema).length > 0
    ? [eventOf({ fields: { data: schema }, required: [] }, schemas, true)]
    : [];
}

/** The alternatives of an event, whose schema is in `itemSchema`: of all its fields, or of its data alone. */
export function eventsOf(itemSchema: unknown, schemas: Schemas): EventAlternative[] {
  if (isOfDataAlone(itemSchema, schemas))
    return [eventOf({ fields: { data: itemSchema }, required: [] }, schemas, true)];
  const all = flatten(withTags(schemas.whole(itemSchema), schemas), schemas);
  return all.map((fields) => eventOf(fields, schemas, all.length === 1));
}

/** Whether an `itemSchema` of events is that of their data, as some tools write it. */
export function isOfDataAlone(itemSchema: unknown, schemas: Schemas): boolean {
  return !Object.hasOwn(schemas.possibleFieldsOf(itemSchema), 'data');
}

interface Fields {
  readonly fields: JsonObject;
  readonly required: readonly string[];
}

/** The fields of an object, in each of its alternatives. */
function flatten(
  schema: unknown,
  schemas: Schemas,
  around: Fields = { fields: {}, required: [] },
  depth = 0,
): Fields[] {
  const fields = merged([around.fields, schemas.fieldsOf(schema)]);
  const required = [...around.required, ...schemas.requiredOf(schema)];
  const branches = depth < MAX_DEPTH ? schemas.branchesOf(schema) : [];
  if (branches.length === 0) return [{ fields, required }];
  return branches.flatMap((branch) => flatten(branch, schemas, { fields, required }, depth + 1));
}

/** An event as code has it (WHATWG HTML §9.2). */
function eventOf({ fields, required }: Fields, schemas: Schemas, isAlone: boolean): EventAlternative {
  const { event, id } = fields;
  const { data, schema } = decoded(fields['data'] ?? { type: 'string' }, schemas);
  const isText = [...schemas.typesOf(id)].join() === 'string';
  return {
    names: event === undefined && !isAlone ? ['message'] : statedTags(event, schemas),
    data,
    stated: Object.keys(fields),
    schema: {
      type: 'object',
      required: ['data', ...['event', 'id', 'retry'].filter((name) => required.includes(name))],
      properties: {
        event: event ?? (isAlone ? { type: 'string' } : false),
        data: schema,
        id: isText ? id : { type: 'string' },
        retry: fields['retry'] ?? { type: 'integer', minimum: 0 },
      },
    },
  };
}

/** How data is written, and its schema in code: a text may be that of JSON (JSON Schema 2020-12 validation §8.4). */
function decoded(given: unknown, schemas: Schemas): { data: StreamForm['data']; schema: unknown } {
  const { contentMediaType: type, contentSchema } = Object.assign(
    {},
    ...schemas.partsOf(given),
  ) as JsonObject;
  if (typeof type === 'string' && isJson(type)) return { data: 'json', schema: contentSchema ?? {} };
  const isText = [...schemas.typesOf(given)].join() === 'string';
  return { data: isText ? 'text' : 'json', schema: given };
}

function formOf(alternatives: readonly EventAlternative[]): StreamForm {
  const open = alternatives.find(({ names }) => names === undefined) ?? alternatives[0];
  const data = open?.data ?? 'text';
  const others = alternatives.filter((item) => item.data !== data).flatMap(({ names = [] }) => names);
  return { kind: 'events', data, ...(others.length > 0 && { others: [...new Set(others)] }) };
}

const isSchema = (value: unknown): boolean => isObject(value) || typeof value === 'boolean';

const objectOf = (schema: unknown): JsonObject => (isObject(schema) ? schema : {});
