import { essenceOf } from '@contract-kit/core/http';
import { eventsOf, STREAM_TYPES } from '@contract-kit/core/model';
import type { Json, SourceDocument } from '@contract-kit/core/openapi';
import { all, eachName, unsupported, TOKEN, typesOf, when, type Find } from '../rule.ts';

/** The `itemSchema` of each body for which `test` holds. */
function eachStream(test: (type: string, media: Json, contract: SourceDocument) => boolean): Find {
  return ({ content = {} }, { contract }) =>
    Object.entries<Json>(content)
      .map(([type, media]) => [type, contract.resolve(media)] as const)
      .filter(([type, media]) => media && 'itemSchema' in media && test(type, media, contract))
      .map(([type]) => ['content', type, 'itemSchema']);
}

const hasStream = (response: Json) =>
  Object.values<Json>(response?.content ?? {}).some((media) => media && 'itemSchema' in media);

const isEvents = (type: string) => essenceOf(type) === 'text/event-stream';

/** Whether events of one name have data as JSON and as text. */
function isAmbiguous({ itemSchema }: Json, contract: SourceDocument): boolean {
  const events = eventsOf(itemSchema, contract.schemas);
  const namesIn = (data: string) =>
    new Set(events.filter((event) => event.data === data).flatMap(({ names = ['*'] }) => names));
  const texts = namesIn('text');
  return [...namesIn('json')].some((name) => texts.has(name));
}

export const responseRules = [
  unsupported('RequestBody', {
    feature: 'streams in requests',
    find: eachStream(() => true),
    example: 'content:\n  application/jsonl:\n    itemSchema: {} # here',
    advice: 'write schema',
  }),
  unsupported('Response', {
    feature: 'streams other than `text/event-stream`, `application/jsonl` and `application/x-ndjson`',
    find: all(
      eachStream((type) => !STREAM_TYPES.includes(essenceOf(type))),
      eachName(
        (type, media, { contract }) =>
          essenceOf(type) === 'application/json-seq' && !('itemSchema' in contract.resolve(media)),
        'content',
      ),
    ),
    example: 'description: A stream.\ncontent:\n  multipart/mixed:\n    itemSchema: {} # here',
    advice: 'write one of these',
  }),
  unsupported('Responses', {
    feature: 'streams of errors',
    find: eachName((status, response, { node, contract }) => {
      const isError =
        /^[45]/.test(status) ||
        (status === 'default' && Object.keys(node.value).some((key) => /^[23]/.test(key)));
      return isError && hasStream(contract.resolve(response));
    }),
    example: "'400': { description: A stream., content: { application/jsonl: { itemSchema: {} } } } # here",
    advice: 'write schema',
  }),
  unsupported('Response', {
    feature: 'events of one name with JSON or text',
    find: eachStream((type, media, contract) => isEvents(type) && isAmbiguous(media, contract)),
    example:
      'description: A stream.\ncontent:\n  text/event-stream:\n    itemSchema: # here\n      type: object\n      properties: {}\n      oneOf:\n        - properties: { data: { type: string } }\n        - properties: { data: { type: integer } }',
    advice: 'give each a name',
  }),
  unsupported('Responses', {
    feature: 'statuses other than 100 to 599, `1XX` to `5XX` and `default`',
    find: eachName((status) => !/^([2-5](\d\d|XX)|default)$/.test(status)),
    example: "'600': { description: Anything. } # here",
    advice: 'write an HTTP status (RFC 9110 §15)',
  }),
  unsupported('Response', {
    feature: 'headers whose names are not tokens (RFC 9110 §5.6.2), or `__proto__`',
    find: eachName((name) => !TOKEN.test(name) || name === '__proto__', 'headers'),
    example: 'description: Done.\nheaders:\n  X Total: { schema: { type: string } } # here',
    advice: 'write letters, digits and -',
  }),
  unsupported('Header', {
    feature: 'headers that are objects, but for those in JSON',
    find: when(({ schema }, { contract }) => typesOf(contract.resolve(schema)).includes('object'), 'schema'),
    example: 'schema: { type: object } # here',
    advice: 'write content with application/json, or a header for each value',
  }),
];
