import { setTimeout as sleep } from 'node:timers/promises';

/* Contracts for samples, with what the kitchen sink has no examples of. */

const contractOf = (paths: object, components = {}) =>
  JSON.stringify({ openapi: '3.2.0', info: { title: 'Samples', version: '1.0.0' }, paths, components });

const text = { type: 'string' };
const done = { 204: { description: 'Done.' } };
const bodyOf = (type: string, example: unknown, properties?: object) => ({
  required: true,
  content: { [type]: { schema: properties ? { type: 'object', properties } : text, example } },
});

const LINE = '\'"$HOME `date` \\n é😀 %41 & = + ; , # ? / @ {x} </script>';
const LINES = `@${LINE}\nnext\ttab`;
const ASCII = '\'"$HOME `date` \\n %41 & = + ; , # ? / @ {x}';
const FIELDS = { text: LINES, 'a b&[]': '<x;type=text/html' };
const PARTS = { text: `@${LINE}`, 'a"b': '<x;type=text/html' };

/** Values that mean something to shells, programs, URLs and forms; each operation has its key in another place. */
export const VALUES = contractOf(
  {
    '/json/{p}': {
      post: {
        operationId: 'sendJson',
        security: [{ bearer: [] }],
        parameters: [
          { name: 'p', in: 'path', required: true, schema: text, example: LINES },
          { name: 'q', in: 'query', required: true, schema: text, example: LINES },
          { name: 'X-H', in: 'header', required: true, schema: text, example: ASCII },
          { name: 'c', in: 'cookie', required: true, schema: text, example: LINES },
        ],
        requestBody: bodyOf(
          'application/json',
          { text: LINES, [LINE]: 1 },
          { text, [LINE]: { type: 'integer' } },
        ),
        responses: done,
      },
    },
    '/text': {
      post: {
        operationId: 'sendText',
        security: [{ basic: [] }],
        requestBody: bodyOf('text/plain', LINES),
        responses: done,
      },
    },
    '/form': {
      put: {
        operationId: 'sendForm',
        security: [{ query: [] }],
        requestBody: bodyOf('application/x-www-form-urlencoded', FIELDS, { text, 'a b&[]': text }),
        responses: done,
      },
    },
    '/parts': {
      patch: {
        operationId: 'sendParts',
        security: [{ cookie: [] }],
        parameters: [{ name: 'c', in: 'cookie', required: true, schema: text, example: '"$a' }],
        requestBody: bodyOf('multipart/form-data', PARTS, { text, 'a"b': text }),
        responses: done,
      },
    },
    '/both': {
      query: {
        operationId: 'sendBoth',
        security: [{ header: [], bearer: [] }],
        requestBody: bodyOf('application/json', {}, { text }),
        responses: done,
      },
    },
  },
  {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      basic: { type: 'http', scheme: 'basic' },
      query: { type: 'apiKey', in: 'query', name: 'key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
  },
);

/** What handlers receive of them. */
export const RECEIVED = [
  {
    path: { p: LINES },
    query: { q: LINES },
    headers: { 'X-H': ASCII },
    cookies: { c: LINES },
    body: { text: LINES, [LINE]: 1 },
  },
  { body: LINES },
  { body: FIELDS },
  { body: PARTS, cookies: { c: '"$a' } },
  { body: {} },
];

const gone = {
  410: {
    description: 'Gone.',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['code', 'message', 'status'],
          properties: { code: text, message: text, status: { type: 'integer' } },
        },
      },
    },
  },
};
const responseOf = (type: string, media: object) => ({
  200: { description: 'It.', content: { [type]: media } },
});
const getOf = (operationId: string, responses: object) => ({ get: { operationId, responses } });

/** Operations that may fail. */
export const ERRORS = contractOf({
  '/data': getOf('getData', { ...responseOf('application/json', { schema: { type: 'object' } }), ...gone }),
  '/file': getOf('getFile', {
    ...responseOf('application/pdf', { schema: { type: 'string', format: 'binary' } }),
    ...gone,
  }),
});

const EVENT = { type: 'object', required: ['data'], properties: { data: text } };

export const STREAMS = contractOf({
  '/watch': getOf('watch', responseOf('text/event-stream', { itemSchema: EVENT })),
  '/tail': getOf('tail', responseOf('application/jsonl', { itemSchema: text })),
});

/** A stream without an end. */
export const endless = (id: string) => ({
  status: 200,
  body: (async function* () {
    for (;;) {
      yield id === 'watch' ? { data: 'first\nline' } : 'first line';
      await sleep(20);
    }
  })(),
});
