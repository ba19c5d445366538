/* What newest.yaml has of OpenAPI 3.2, each in a row, as in rows.ts. */
import type { Newest } from './newest/index.ts';
import type { Operations } from './newest/operations.ts';
import { post, streamOf, tableOf } from './table.ts';

const png = new Uint8Array([137, 80, 78, 71]);
const emma = { id: 7, name: 'Emma' };

const row = tableOf<Newest, Operations>('newest.yaml', {
  listBooks: { status: 200, body: [emma] },
  findBooks: { status: 200, body: [emma] },
  watchBooks: {
    status: 200,
    body: streamOf([
      { event: 'added', id: '1', data: emma },
      { event: 'removed', data: 'two\nlines' },
    ]),
  },
  findNotes: { status: 200, body: 'word\na\n' },
  getSession: { status: 204 },
  addAnimal: { status: 200, body: { kind: 'dog' } },
  addVehicle: { status: 200, body: {} },
  addScan: { status: 204 },
  listReadings: { status: 200, body: [emma] },
});

const query = (target: string, type: string, body: string) => post(target, type, body, 'QUERY');
const json = (target: string, body: string) => post(target, 'application/json', body);
const find = (body: string, type = 'application/json') => query('/v1/books', type, body);
const notes = (type: string, body: string, search = '') =>
  query(`/v1/shelves/a%2Fb/notes${search}`, type, body);
const cookies = (text: string) => `GET /v1/session\nCookie: ${text}`;

export const rows = [
  row('a list beside a QUERY of it', 'listBooks', { sent: ['GET /v1/books'] }),
  row('a response that a media type of the components describes', 'listBooks', {
    input: {},
    // @ts-expect-error a book has a name
    breaks: [{ status: 200, body: [{ id: 7 }] }],
  }),
  row('QUERY with the fields of a body', 'findBooks', {
    input: { name: 'Emma', ids: [7] },
    sent: [
      find('{"name":"Emma","ids":[7]}'),
      find('{"ids":[7],"name":"Emma"}', 'application/json; charset=utf-8'),
    ],
    received: { body: { name: 'Emma', ids: [7] }, query: {} },
    rejects: {
      [find('{"name":1}')]: [400, 'body/name must be string.'],
      [find('')]: [400, 'The body is missing.'],
      [find('{}', '')]: [400, 'The Content-Type is missing.'],
      [find('{}', 'text/plain')]: [415, 'The body must be application/json, and not encoded.'],
      [find('{', 'application/json')]: 400,
      'QUERY /v1/books': 400,
      [find('{}').replace('books', 'books?name=Emma')]: [400, "Unknown query parameter 'name'."],
      [find('{}').replace('/v1/books', '/v1/session')]: 405,
    },
    // @ts-expect-error it is text
    refuses: { 'song is unknown': { song: 'Emma' } },
  }),
  row('QUERY with parameters, a form and text', 'findNotes', {
    input: { shelf: 'a/b', limit: 2, body: { word: 'x y' } },
    sent: [notes('application/x-www-form-urlencoded', 'word=x+y', '?limit=2')],
    received: { path: { shelf: 'a/b' }, query: { limit: 2 }, body: { word: 'x y' } },
    rejects: {
      [notes('text/plain', 'a')]: [400, 'body must NOT have fewer than 2 characters.'],
      [notes('text/csv', 'ab')]: 415,
    },
  }),
  row('the media type of a QUERY that the body fits', 'findNotes', {
    input: { shelf: 'a/b', body: 'x y' },
    isNoTool: true,
    sent: [notes('text/plain', 'x y')],
    received: { query: { limit: 20 }, body: 'x y' },
  }),
  row('a stream of events of several kinds, to a QUERY', 'watchBooks', {
    input: { name: 'Emma', 'Last-Event-ID': '0' },
    received: { body: { name: 'Emma' }, headers: { 'Last-Event-ID': '0' } },
  }),
  row('a list where a stream is possible', 'listReadings', { input: {}, data: [emma] }),
  row('a stream where a list is possible', 'listReadings', {
    input: {},
    answer: { status: 200, headers: { 'Content-Type': 'application/jsonl' }, body: streamOf([emma, emma]) },
  }),
  row('cookies that are not encoded', 'getSession', {
    input: { theme: '100%25=a', seen: [1, 2], last: ['x', 'y'], view: { zoom: 3, dark: true } },
    sent: [cookies('theme=100%25=a; seen=1; seen=2; last=x,y; zoom=3; dark=true')],
    received: {
      cookies: { theme: '100%25=a', seen: [1, 2], last: ['x', 'y'], view: { zoom: 3, dark: true } },
    },
    rejects: { [cookies('seen=a')]: 400, [cookies('zoom=a')]: 400 },
    refuses: {
      'theme cannot be sent exactly': { theme: 'a;b' },
      'last cannot be sent exactly': { last: ['a,b'] },
    },
  }),
  row('no cookies', 'getSession', { input: {}, sent: ['GET /v1/session'], received: { cookies: {} } }),
  row('the alternative that the tag names', 'addAnimal', {
    input: { body: { kind: 'cat', lives: 9 } },
    sent: [json('/v1/animals', '{"kind":"cat","lives":9}')],
    received: { body: { kind: 'cat', lives: 9 } },
    rejects: { [json('/v1/animals', '{"kind":"cat","lives":"nine"}')]: [400, 'body/lives must be integer.'] },
    // @ts-expect-error a cat does not bark
    breaks: [{ status: 200, body: { kind: 'cat', lives: 'nine' } }],
  }),
  row('the alternative without a tag, or with an unknown one', 'addAnimal', {
    input: { body: { name: 'Nessie' } },
    sent: [json('/v1/animals', '{"name":"Nessie"}')],
    received: { body: { name: 'Nessie' } },
    answer: { status: 200, body: { kind: 'monster', name: 'Nessie' } },
    rejects: {
      [json('/v1/animals', '{}')]: [400, "body must have required property 'name'."],
      [json('/v1/animals', '{"kind":"monster"}')]: [400, "body must have required property 'name'."],
      [json('/v1/animals', '{"kind":5,"name":"a"}')]: 400,
    },
  }),
  row('what extends a base by default', 'addVehicle', {
    input: { body: { sort: 'sledge', pulledBy: 'dogs' } },
    sent: [json('/v1/vehicles', '{"sort":"sledge","pulledBy":"dogs"}')],
    received: { body: { sort: 'sledge', pulledBy: 'dogs' } },
    rejects: {
      [json('/v1/vehicles', '{"pulledBy":5}')]: [400, 'body/pulledBy must be string.'],
      [json('/v1/vehicles', '{"sort":"Car"}')]: [400, "body must have required property 'fuel'."],
    },
  }),
  row('a list that is also a stream', 'listReadings', { sent: ['GET /v1/readings'] }),
  row('a form with encodings that are documentation', 'addScan', {
    input: { body: { pages: png } },
    received: {},
  }),
];

/* What rows do not show. */

declare const client: Newest;
async () => {
  for await (const item of await client.watchBooks({ name: 'Emma' })) {
    if (item.event === 'added') item.data.id satisfies number;
    else item.data satisfies string;
  }
};
declare const found: Operations['addAnimal']['received'];
() => {
  if (found.body.kind === 'dog' && 'barks' in found.body) found.body.barks satisfies boolean | undefined;
  // @ts-expect-error another alternative may have any kind
  if (found.body.kind === 'dog') found.body.barks satisfies boolean | undefined;
};
