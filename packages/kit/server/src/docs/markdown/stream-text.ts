import { essenceOf, itemText } from '@contract-kit/core/http';
import { isObject, type JsonObject } from '@contract-kit/core/json';
import {
  eventsIn,
  objectAt,
  type MediaType,
  type Model,
  type Operation,
  type Schema,
} from '@contract-kit/core/model';
import { makeValue, nthChoice } from '@contract-kit/core/values';
import { codeText } from './fields.ts';
import { joined, labelled } from './blocks.ts';
import type { Response } from '../openapi.ts';
import { schemaText } from './schema-text.ts';

/* Bodies that are sent item by item, in Markdown. */

const LAST_EVENT_ID = 'Last-Event-ID';

/** How the items of a media type are written, if it is none that the service sends item by item. */
const SEQUENCES: readonly (readonly [RegExp, string])[] = [
  [/^application\/json-seq$|\+json-seq$/, 'JSON texts, each after U+001E and before a line end (RFC 7464)'],
  [/^multipart\//, 'parts'],
  [/jsonl|ndjson|json-lines/, 'JSON values, each on a line'],
  [/event-stream/, 'server-sent events'],
];

/** What arrives, item by item; empty if the body is sent as a whole. */
export function streamText(
  { schemas }: Model,
  { definition }: Pick<Response, 'definition'>,
  media: MediaType,
  operation?: Operation,
): string {
  const written = writtenMedia(definition, media);
  if (media.form?.kind === 'lines')
    return labelled(
      'A stream of JSON values, each on a line, as they arrive. Each',
      schemaText(schemas, media.itemSchema ?? {}, 'response'),
    );
  if (media.form?.kind === 'events') {
    const events = eventsWith(schemas, written).map(({ names, data, schema }) =>
      labelled(
        `${names ? `Event ${names.map(codeText).join(' or ')}` : 'Each event'}, whose ${codeText('data')} is ${data === 'json' ? 'JSON' : 'text'}`,
        schemaText(schemas, schema, 'response'),
      ),
    );
    return joined([
      `A stream of server-sent events, as they happen. A comment (${codeText(':')}) every 15 seconds keeps an idle one open.${resumeText(operation)}`,
      ...events,
    ]);
  }
  if (!isObject(written['itemSchema'])) return '';
  const essence = essenceOf(media.type);
  const [, how = 'items'] = SEQUENCES.find(([types]) => types.test(essence)) ?? [];
  return labelled(`A sequence of ${how}. Each`, schemaText(schemas, written['itemSchema'], 'response'));
}

function resumeText(operation: Operation | undefined): string {
  const isResumed = operation?.parameters.some(
    ({ name, in: place }) => place === 'header' && name.toLowerCase() === LAST_EVENT_ID.toLowerCase(),
  );
  return isResumed
    ? ` After a lost connection, send the ${codeText('id')} of the last event as ${codeText(LAST_EVENT_ID)}: the stream goes on after it.`
    : '';
}

/** The alternatives of an event with the fields that it may have; with `isShort`, only those that the contract states. */
function eventsWith(schemas: Model['schemas'], media: JsonObject, isShort = false) {
  return eventsIn(media, schemas).map(({ schema, stated, ...event }) => {
    const fields = Object.entries(objectAt(schema, 'properties'));
    const properties = fields.filter(
      ([name, field]) => field !== false && (!isShort || name === 'data' || stated.includes(name)),
    );
    return { ...event, schema: { ...schema, properties: Object.fromEntries(properties) } as Schema };
  });
}

const writtenMedia = (definition: JsonObject, { type }: MediaType): JsonObject =>
  objectAt(objectAt(definition, 'content'), type);

/** The bytes of a stream: the contract's example, or one of each event; undefined if none can be made. */
export function streamExample(
  { schemas }: Model,
  { definition }: Pick<Response, 'definition'>,
  media: MediaType,
): string | undefined {
  const { form, itemSchema, example, examples = {} } = media;
  const shown = [example, ...Object.values(examples).map(({ value }) => value)];
  const text = shown.find((value) => typeof value === 'string');
  if (text !== undefined || !form) return text;
  const choices = nthChoice(0, true);
  const make = (schema: JsonObject) => makeValue(schemas, { schema }, { view: 'response', choices }).value;
  const list = shown.find(Array.isArray);
  const alternatives =
    form.kind === 'events'
      ? eventsWith(schemas, writtenMedia(definition, media), true).map(({ schema }) => schema)
      : [itemSchema ?? {}];
  const items: unknown[] = list ?? alternatives.map((schema) => make(schema));
  try {
    return items.map((item) => itemText(item, form)).join('');
  } catch {
    // An example of the contract that is no item.
    return undefined;
  }
}
