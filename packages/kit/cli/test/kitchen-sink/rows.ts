/*
 * What the kitchen-sink contracts have, each in a row: openapi.yaml keeps every house rule, open.yaml is as others write
 * them, and behind.yaml has references and compositions in every place. any-contract.test.ts compiles this with what is generated from them, and calls a server and its clients.
 */
import type { Behind } from './behind/index.ts';
import type { Operations as OfBehind } from './behind/operations.ts';
import type { Library } from './library/index.ts';
import type { Operations as OfLibrary } from './library/operations.ts';
import type { ApiError as ShelvesError, Shelves } from './shelves/index.ts';
import type { Operations as OfShelves } from './shelves/operations.ts';
import { post, streamOf, tableOf } from './table.ts';

const emma = { id: 7, name: 'Emma', kind: 'novel', author: null } as const;
const card = { method: 'card', number: '4111' } as const;
const png = new Uint8Array([137, 80, 78, 71]);
/** As the client sends bytes alone. */
const file = (name: string, type = 'application/octet-stream') => new File([png], name, { type });
/** A name that needs every kind of escape. */
const picture = file('É "1" %.png', 'image/png');
const UUID = '5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a';
const place = { shop: UUID, shelf: 'A', row: 2, open: true, price: 0.5, label: 'a/b' } as const;
const poem = { name: 'Emma', author: 'Ada', kind: 'poem', count: 10, edition: {}, bookId: 12 } as const;
const tree = [{ name: 'Novels', parent: { name: 'Books' }, children: [{ name: 'Short' }] }];
const formats = { int64: 9007199254740991, date: '2026-11-24', ipv6: '::1', byte: 'aGk=', none: null };

const book = tableOf<Library, OfLibrary>('openapi.yaml', {
  findBooks: { status: 200, headers: { 'X-Total': 0 }, body: [] },
  createBook: { status: 201, headers: { Location: '/v1/books/7' }, body: { ...emma, price: 1, asked: 2 } },
  getBook: { status: 200, headers: { ETag: '"7"' }, body: emma },
  replaceBook: { status: 200, body: emma },
  changeBook: { status: 200, body: emma },
  removeBook: { status: 204 },
  getLatestBook: { status: 200, body: emma },
  getLatestView: { status: 200, body: emma },
  getCover: { status: 200, body: png },
  getShelf: { status: 200, body: { novel: 3 } },
  pay: { status: 202, body: card },
  replaceCategories: { status: 200, body: [{ name: 'Novels', children: [{ name: 'Short novels' }] }] },
  replaceSettings: { status: 200, body: { dark: true } },
  echoFormats: { status: 200, body: {} },
  setMotto: { status: 200, body: null },
  getReport: { status: 200, body: 'id,price\n7,120\n' },
  getStatus: { status: 200, body: true },
  getCatalogue: { status: 200, body: png },
  listLoans: { status: 200, body: [{ id: 1 }] },
  createLoan: { status: 201, body: { id: 1 } },
  cancelLoan: { status: 204 },
  watchLoans: { status: 200, body: streamOf([{ id: '1', data: { id: 1 } }]) },
});

const shelf = tableOf<Shelves, OfShelves>('open.yaml', {
  get: { status: 200, body: 'Hello' },
  listShelves: { status: 201, headers: { 'X-Total': 1 }, body: [{ name: 'a', size: 'large' }] },
  shelfOptions: { status: 204 },
  headShelvesByIdsByNameJson: { status: 204 },
  traceShelvesByIdsByNameJson: { status: 204 },
  getShelvesByIdsByNameJson: { status: 200, body: { name: 'a' } },
  getTagsByTags: { status: 204 },
  getPictures: { status: 200, body: picture },
  putPictures: { status: 204 },
  getFiles: { status: 200, body: new File([png], 'a.json', { type: 'application/json' }) },
  putFiles: { status: 204 },
  lines: { status: 200, body: streamOf([1, 2]) },
  postKeywords: { status: 200, body: {} },
  postForms: { status: 204 },
});

const box = { id: 'b1', label: 'a', level: 3 };
const behind = tableOf<Behind, OfBehind>('behind.yaml', {
  addBox: { status: 201, headers: { 'X-Version': '1.10' }, body: box },
  addScan: { status: 204 },
  addAlert: { status: 200, body: { via: 'mail', subject: 'Hi' } },
  addEvent: { status: 200, body: null },
  putJson: { status: 200, body: [1, 'a', null, ['b', { c: [] }]] },
  patchNote: { status: 204 },
  putCover: { status: 200, body: { text: 'a' } },
  addVehicle: { status: 200, body: { kind: 'Vehicle' } },
  addStamp: { status: 204 },
  search: { status: 204 },
  list: { status: 200, headers: { 'X-Version': 1.5, 'X-Tags': [1, 2] }, body: [] },
  headPages: { status: 200, body: {} },
  getReport: { status: 200, body: { lines: 1 } },
  headReport: { status: 200, body: 'a,b' },
  GetReport2: { status: 204 },
  sendMail: { status: 204 },
});

const NUMBERS = Array.from({ length: 1_500 }, (_, index) => String(index));
const DEFAULTS = { limit: 20, after: 0n, lost: false } as const;
const find = (query: string) => `GET /v1/books?${query}`;
const list = (query: string) => `GET /api/shelves/?${query}`;
const tags = (query: string) => `GET /api/tags/;tags=a?${query}`;
const json = (target: string, body: string, method?: string) =>
  post(target, 'application/json', body, method);
const form = (type: string, body: string) => post('/api/forms', type, body);
const multipart = (...parts: [name: string, value: string][]) =>
  form(
    'multipart/form-data; boundary=x',
    parts.map((part) => `--x\r\nContent-Disposition: form-data; name=${part.join('\r\n\r\n')}\r\n`).join('') +
      '--x--\r\n',
  );
const shelfJson = (kind: string, body: string) => post('/report', `application/${kind}`, body);
const scan = (...parts: [name: string, value: string][]) =>
  multipart(...parts).replace('/api/forms', '/scans');
const urlencoded = (body: string) => post('/stamps', 'application/x-www-form-urlencoded', body);
const invalid = (message: string) => [400, message] as const;

export const rows = [
  book('a parameter that is not sent is absent, or has its default', 'findBooks', {
    input: { tag: [], word: [] },
    sent: ['GET /v1/books', find(''), find('&')],
    received: { query: DEFAULTS, headers: { 'X-Depth': 1 } },
  }),
  book('text, enums and lengths', 'findBooks', {
    input: { kind: 'poem', name: 'a&b' },
    sent: [find('kind=poem&name=a%26b')],
    received: { query: { ...DEFAULTS, kind: 'poem', name: 'a&b' } },
    rejects: {
      [find('kind=song')]: invalid('kind must be equal to one of the allowed values: novel, poem, play.'),
      [find('kind=poem&kind=poem')]: invalid('kind is sent twice.'),
      [find('name=')]: invalid('name must NOT have fewer than 1 characters.'),
      [find(`name=${'a'.repeat(65)}`)]: invalid('name must NOT have more than 64 characters.'),
      [find('name=%')]: invalid('The query is not percent-encoded correctly (RFC 3986 §2.1).'),
    },
    // @ts-expect-error the contract has other values
    refuses: { 'song is unknown': { song: 'Emma' } },
  }),
  book('reserved characters and spaces', 'findBooks', {
    input: { name: ":'@ /" },
    sent: [find("name=:'@+/"), find('name=%3A%27%40%20%2F')],
    received: { query: { ...DEFAULTS, name: ":'@ /" } },
  }),
  book('integers, numbers and booleans', 'findBooks', {
    input: { limit: 100, minPrice: 1.5e-7, lost: true },
    sent: [find('limit=100&minPrice=1.5e-7&lost=true')],
    received: { query: { limit: 100, after: 0n, minPrice: 1.5e-7, lost: true } },
    rejects: {
      [find('limit=101')]: invalid('limit must be <= 100.'),
      [find('limit=01')]: invalid('limit must be a 32-bit decimal integer.'),
      [find('limit=1.5')]: invalid('limit must be a 32-bit decimal integer.'),
      [find('limit=9007199254740993')]: invalid('limit must be a 32-bit decimal integer.'),
      [find('limit=')]: invalid('limit must be a 32-bit decimal integer.'),
      [find('minPrice=0x10')]: invalid('minPrice must be number.'),
      [find('minPrice=1e999')]: invalid('minPrice must be number.'),
      [find('minPrice=9007199254740993')]: invalid('minPrice must be number.'),
      [find('lost=1')]: invalid('lost must be boolean.'),
    },
  }),
  book('64-bit integers, exactly', 'findBooks', {
    input: { after: '-9223372036854775808', edition: 9007199254740993n, book: [1, 2n, '3'], 'X-Snapshot': 7 },
    sent: [
      'GET /v1/books?%61fter=-9223372036854775808&edition=9007199254740993&book=1&book=2&book=3\nX-Snapshot: 7',
    ],
    received: {
      query: { ...DEFAULTS, after: -9223372036854775808n, edition: 9007199254740993n, book: [1n, 2n, 3n] },
      headers: { 'X-Depth': 1, 'X-Snapshot': 7n },
    },
    rejects: {
      [find('after=01')]: invalid('after must be a 64-bit decimal integer.'),
      [find('after=9223372036854775808')]: invalid('after must be a 64-bit decimal integer.'),
      [find('size=1,01')]: invalid('size must be a 64-bit decimal integer.'),
    },
    refuses: {
      'after is not an exact 64-bit integer': { after: 2 ** 53 },
      'edition is not an exact 64-bit integer': { edition: 1.5 },
      'book is not an exact 64-bit integer': { book: [2n ** 63n] },
      'X-Snapshot is not an exact 64-bit integer': { 'X-Snapshot': '01' },
    },
  }),
  book('dates and times', 'findBooks', {
    input: { published: '2026-11-22', since: '2026-11-22T12:00:00+02:00' },
    sent: [find('published=2026-11-22&since=2026-11-22T12:00:00%2B02:00')],
    received: { query: { ...DEFAULTS, published: '2026-11-22', since: '2026-11-22T12:00:00+02:00' } },
    rejects: {
      [find('published=2026-13-01')]: invalid('published must match format "date".'),
      [find('since=2026-11-22T12:00:00%2B02')]: invalid('since must match format "date-time".'),
    },
  }),
  book('null, as an empty value', 'findBooks', {
    input: { age: null },
    sent: [find('age='), find('age')],
    received: { query: { ...DEFAULTS, age: null } },
    rejects: { [find('age=null')]: invalid('age must be integer.') },
  }),
  book('lists of repeated parameters', 'findBooks', {
    input: { tag: ['', 'a,b'] },
    sent: [find('tag=&tag=a,b')],
    received: { query: { ...DEFAULTS, tag: ['', 'a,b'] } },
  }),
  book('long lists', 'findBooks', {
    input: { tag: NUMBERS },
    sent: [find(NUMBERS.map((item) => `tag=${item}`).join('&'))],
    received: { query: { ...DEFAULTS, tag: NUMBERS } },
  }),
  book('lists in one parameter', 'findBooks', {
    input: { word: ['a', 'b,c', ''], color: ['red', 'black'], size: [1n] },
    sent: [find('word=a,b%2Cc,&color=red,black&size=1')],
    received: { query: { ...DEFAULTS, word: ['a', 'b,c', ''], color: ['red', 'black'], size: [1n] } },
    rejects: {
      [find('color=black&color=white')]: invalid('color is sent twice.'),
      [find('color=red,red')]: invalid(
        'color must NOT have duplicate items (items ## 1 and 0 are identical).',
      ),
      [find('color=red,blue')]: invalid(
        'color must be equal to one of the allowed values: black, white, red.',
      ),
      [find('color=black,white,red')]: invalid('color must NOT have more than 2 items.'),
    },
  }),
  book('no parameters but those of the contract', 'findBooks', {
    rejects: Object.fromEntries(
      ['page', 'Kind', '[kind]', 'kind[]', 'tag[0]', 'a[__proto__]', '__proto__', ''].map((name) => [
        find(`${name}=1`),
        invalid(`Unknown query parameter '${name}'.`),
      ]),
    ),
  }),
  book('headers, by names in any case', 'findBooks', {
    input: { 'X-Tenant': UUID, 'X-Depth': 3, 'X-Dry-Run': true },
    sent: [`GET /v1/books\nx-TENANT: ${UUID}\nX-DEPTH: 3\nx-dry-run: true`],
    received: { headers: { 'X-Tenant': UUID, 'X-Depth': 3, 'X-Dry-Run': true } },
    rejects: {
      'GET /v1/books\nx-tenant: me': invalid('X-Tenant must match format "uuid".'),
      'GET /v1/books\nx-depth: -1': invalid('X-Depth must be >= 0.'),
      'GET /v1/books\nx-depth: 1.5': invalid('X-Depth must be integer.'),
      'GET /v1/books\nx-snapshot: 01': invalid('X-Snapshot must be a 64-bit decimal integer.'),
      'GET /v1/books\nx-depth: 1\nX-Depth: 1': invalid('X-Depth is sent twice.'),
    },
  }),
  book('a parameter in each segment of a path', 'getShelf', {
    input: place,
    sent: [`GET /v1/shops/${UUID}/shelves/A/2/true/0.5/a%2Fb`],
    received: { path: place },
    refuses: {
      'label is missing': { ...place, label: '' },
      'label cannot be sent exactly': { ...place, label: '..' },
    },
    breaks: [{ status: 200, body: { novel: -1 } }],
  }),
  book('a literal segment before a parameter', 'getLatestView', {
    input: { view: 'cover' },
    sent: ['GET /v1/books/latest/cover'],
    received: { path: { view: 'cover' } },
  }),
  book('a literal path before one with a parameter', 'getLatestBook', {
    input: {},
    sent: ['GET /v1/books/latest'],
  }),
  book('a stream of events, from the last one on', 'watchLoans', {
    input: { 'Last-Event-ID': '7' },
    received: { headers: { 'Last-Event-ID': '7' } },
  }),
  book('64-bit integers in a body, with a default', 'createLoan', {
    input: { bookId: 12 },
    sent: [json('/v1/loans', '{"bookId":12}')],
    received: { body: { bookId: 12, days: 14 } },
    rejects: { [json('/v1/loans', '{"bookId":9007199254740993}')]: 400 },
  }),
  book('a 64-bit integer in a path', 'cancelLoan', {
    input: { loanId: '9223372036854775807' },
    sent: ['DELETE /v1/loans/9223372036854775807'],
    received: { path: { loanId: 9223372036854775807n } },
    rejects: { 'DELETE /v1/loans/9223372036854775808': 400 },
  }),
  book('bytes', 'getCover', {
    input: { bookId: 7 },
    sent: ['GET /v1/books/7/cover'],
    received: { path: { bookId: 7n } },
    rejects: { 'GET /v1/books/1001/cover': invalid('bookId must be <= 1000.') },
  }),
  book('an ETag, which is required', 'getBook', {
    input: { bookId: '9007199254740993', 'If-None-Match': '"7"' },
    sent: ['GET /v1/books/9007199254740993\nIf-None-Match: "7"'],
    received: { path: { bookId: 9007199254740993n }, headers: { 'If-None-Match': '"7"' } },
    answer: { status: 200, headers: { ETag: '"7"', 'X-Fresh': true }, body: emma },
    headers: { ETag: '"7"', 'X-Fresh': true },
    refuses: { 'bookId is not an exact 64-bit integer': { bookId: 2 ** 53 } },
    breaks: [
      // @ts-expect-error the ETag is required
      { status: 200, body: emma },
      // @ts-expect-error it is writeOnly
      { status: 200, headers: { ETag: '"7"' }, body: { ...emma, secret: 'ink' } },
      // @ts-expect-error no response has this status
      { status: 201, headers: { ETag: '"7"' }, body: emma },
    ],
  }),
  book('304', 'getBook', { input: { bookId: 7 }, answer: { status: 304 }, data: undefined }),
  book('fields of a body beside a parameter that is required', 'createBook', {
    input: { 'Idempotency-Key': UUID, name: 'Emma', author: null, secret: 'ink' },
    sent: [
      `POST /v1/books\nContent-Type: application/json\nIdempotency-Key: ${UUID}\n\n{"name":"Emma","author":null,"secret":"ink"}`,
    ],
    received: {
      body: {
        name: 'Emma',
        author: null,
        secret: 'ink',
        kind: 'novel',
        count: 5,
        edition: { type: 'integer' },
      },
    },
    headers: { Location: '/v1/books/7' },
    rejects: { [json('/v1/books', '{}')]: invalid('Idempotency-Key is missing, and 2 more violations.') },
    refuses: {
      // @ts-expect-error it is readOnly
      'id is unknown': { name: 'Emma', author: null, id: 7 },
      'bookId cannot be sent exactly': { name: 'Emma', author: null, bookId: 2 ** 53 },
    },
  }),
  book('the whole of a body, if a field has the name of a parameter', 'replaceBook', {
    input: { bookId: 7, body: poem },
    sent: [json('/v1/books/7', JSON.stringify(poem), 'PUT')],
    received: { body: poem },
    rejects: {
      [json('/v1/books/7', '{"name":" ","author":null}', 'PUT')]: 400,
      [json('/v1/books/7', '{"name":"Emma","author":null,"count":3}', 'PUT')]: 400,
      [json('/v1/books/7', '{"name":"Emma","author":null,"tags":["a","a"]}', 'PUT')]: 400,
      [json('/v1/books/7', '{"name":"Emma","author":null,"id":7}', 'PUT')]: 400,
      [json('/v1/books/7', '{"name":"Emma","author":null,"address":{}}', 'PUT')]: 400,
      [json('/v1/books/7', '{"name":"Emma","author":null', 'PUT')]: 400,
      [post('/v1/books/7', 'text/plain', '{}', 'PUT')]: 415,
    },
    // @ts-expect-error its fields would stand beside the parameter of their name
    refuses: { 'name is unknown': { bookId: 7, name: 'Emma', author: 'Ada' } },
  }),
  book('a body that may be missing', 'changeBook', {
    input: { bookId: 7 },
    sent: ['PATCH /v1/books/7'],
    received: { body: undefined },
  }),
  book('a body that is not missing', 'changeBook', {
    input: { bookId: 7, body: { author: null } },
    sent: [json('/v1/books/7', '{"author":null}', 'PATCH')],
    received: { body: { author: null } },
  }),
  book('204', 'removeBook', {
    input: { bookId: 7 },
    sent: ['DELETE /v1/books/7'],
    received: { path: { bookId: 7n } },
  }),
  book('a oneOf with a discriminator', 'pay', {
    input: { body: card },
    sent: [
      'POST /v1/payments\nAuthorization: Basic someone:KEY\nContent-Type: application/json\n\n{"method":"card","number":"4111"}',
      'POST /v1/payments\nAuthorization:\nX-Partner-Key: KEY\nContent-Type: application/json\n\n{"method":"card","number":"4111"}',
    ],
    received: { body: card },
    rejects: {
      'POST /v1/payments\nAuthorization: Basic :KEY\nContent-Type: application/json\n\n{"method":"invoice","number":"4111"}': 400,
      'POST /v1/payments\nAuthorization: Basic :KEY\nContent-Type: application/json\n\n{"method":"cash"}': 400,
    },
    refuses: {
      // @ts-expect-error an invoice has no number
      'number cannot be sent exactly': { body: { method: 'invoice', number: 2 ** 53 } },
    },
  }),
  book('a redirect, whose Location is required', 'pay', {
    input: { body: { method: 'invoice', email: 'ada@library.example', note: 'Thanks.' } },
    answer: { status: 303, headers: { Location: '/v1/payments/7' } },
    data: undefined,
    headers: { Location: '/v1/payments/7' },
    breaks: [
      // @ts-expect-error 303 has a Location
      { status: 303 },
      // @ts-expect-error note is writeOnly
      { status: 202, body: { method: 'invoice', email: 'ada@library.example', note: 'Thanks.' } },
    ],
  }),
  book('a recursive schema', 'replaceCategories', {
    input: { body: tree },
    sent: [json('/v1/categories', JSON.stringify(tree), 'PUT')],
    received: { body: tree },
    rejects: { [json('/v1/categories', '[{"name":"Novels","children":[{}]}]', 'PUT')]: 400 },
  }),
  book('fields of any name', 'replaceSettings', {
    input: { body: { dark: true, '': [null] } },
    sent: [
      'PUT /v1/settings\nX-Partner-Key: KEY\nContent-Type: application/json\n\n{"dark":true,"":[null]}',
      'PUT /v1/settings\nX-Partner-Key: KEY\nContent-Type: application/json; charset=utf-8\n\n{"dark":true,"":[null]}',
    ],
    received: { body: { dark: true, '': [null] } },
    rejects: { 'PUT /v1/settings\nX-Partner-Key: KEY\nContent-Type: application/json\n\n{}': 400 },
  }),
  book('every format', 'echoFormats', {
    input: { ...formats, counted: {} },
    sent: [json('/v1/formats', JSON.stringify({ ...formats, counted: {} }))],
    received: { body: { ...formats, counted: { count: 1 } } },
    rejects: Object.fromEntries(
      [
        ...[
          '"int32":2147483648',
          '"int64":9007199254740992',
          '"int64List":[1.5]',
          '"integerOrNull":"1"',
          '"float":"1"',
        ],
        ...[
          '"date":"2026-02-30"',
          '"time":"25:00:00Z"',
          '"dateTime":"2026-11-24"',
          '"duration":"1h"',
          '"uuid":"7"',
        ],
        ...[
          '"email":"ada"',
          '"uri":"/books"',
          '"hostname":"-"',
          '"ipv4":"1.2.3"',
          '"ipv6":"1.2.3.4"',
          '"none":1',
        ],
        ...['"text":1', '"counted":{"at":"now"}', '"keeperId":7'],
      ].map((field) => [json('/v1/formats', `{${field}}`), 400]),
    ),
    refuses: { 'int64List cannot be sent exactly': { int64List: [2 ** 53] } },
    breaks: [
      { status: 200, body: { int64: 2 ** 53 } },
      { status: 200, body: { int64List: [2 ** 53] } },
    ],
  }),
  book('a body that is null, and an anyOf', 'setMotto', {
    input: { body: null },
    sent: [json('/v1/motto', 'null', 'PUT')],
    received: { body: null },
    rejects: { [json('/v1/motto', '""', 'PUT')]: 400, 'PUT /v1/motto': 400 },
    // @ts-expect-error the body is required
    refuses: { 'body is missing': {} },
  }),
  book('text of another media type', 'getReport', {
    input: {},
    sent: ['GET /v1/report\nAuthorization:'],
    headers: {},
    rejects: {
      'GET /v1/report\nAuthorization:\nX-Partner-Key: KEY\nX-Partner-Key: KEY': invalid(
        'The request has more than one X-Partner-Key header.',
      ),
    },
  }),
  book('two successes, and no security', 'getStatus', {
    input: {},
    sent: ['GET /v1/status\nAuthorization:'],
    answer: { status: 203, body: 5 },
    rejects: { 'DELETE /v1/status': 405, 'GET /v1/nothing': 404 },
    // @ts-expect-error 203 is a number
    breaks: [{ status: 203, body: true }],
  }),
  book('a deprecated operation', 'getCatalogue', {
    input: { year: 2026 },
    sent: ['GET /v1/catalogue?year=2026'],
    received: { query: { year: 2026 } },
    headers: { Deprecation: '@1793491200', Sunset: 'Wed, 30 Jun 2027 00:00:00 GMT' },
    rejects: { 'GET /v1/catalogue': invalid('year is missing.') },
  }),
  book('a key as a bearer token', 'listLoans', {
    input: {},
    sent: ['GET /v1/loans', 'GET /v1/loans\nAuthorization: bearer KEY'],
    rejects: {
      'GET /v1/loans\nAuthorization:': [
        401,
        'The API key is missing: send it as `Authorization: Bearer <API_KEY>`.',
      ],
      'GET /v1/loans\nAuthorization: Basic :KEY': 401,
      'GET /v1/loans\nAuthorization:\nX-Partner-Key: KEY': 401,
    },
  }),
  book('a key as a password, or in a header', 'pay', {
    rejects: Object.fromEntries(
      ['Bearer KEY', 'Basic KEY', 'Basic KEY:', 'Basic :KEY:', 'Basic ::KEY', 'Basic ', 'Basic !KEY'].map(
        (sent) => [
          `POST /v1/payments\nAuthorization: ${sent}\nContent-Type: application/json\n\n{"method":"card","number":"4111"}`,
          401,
        ],
      ),
    ),
  }),
  book('two schemes at once', 'replaceSettings', {
    rejects: {
      [json('/v1/settings', '{"dark":true}', 'PUT')]: 401,
      'PUT /v1/settings\nX-Partner-Key: lib_none\nContent-Type: application/json\n\n{"dark":true}': 401,
    },
  }),

  shelf('a slash at the end, and a range of statuses', 'listShelves', {
    input: {},
    sent: ['GET /api/shelves/'],
    data: [{ name: 'a', size: 'large' }],
    headers: { 'X-Total': 1 },
    rejects: { 'GET /api/shelves': 404 },
    breaks: [
      // @ts-expect-error a size is a number or text
      { status: 200, body: [{ name: 'a', size: true }] },
      // @ts-expect-error it is a list
      { status: 299, body: {} },
    ],
  }),
  shelf('a stream of JSON on lines', 'lines', { input: {} }),
  shelf('an object in brackets', 'listShelves', {
    input: { filter: { size: 3, tag: ['a&b', 'c'] } },
    sent: [list('filter[size]=3&filter[tag][]=a%26b&filter[tag][]=c')],
    received: { query: { filter: { size: 3, tag: ['a&b', 'c'] } } },
    rejects: { [list('filter[size]=big')]: 400, [list(`filter${'[a]'.repeat(9)}=1`)]: 400 },
  }),
  shelf('a name that is no member of an object', 'listShelves', { sent: [list('filter[__proto__]=x')] }),
  shelf('lists with other delimiters', 'listShelves', {
    input: { piped: [1, 2, 3], spaced: ['a', 'b,c'] },
    sent: [list('piped=1|2%7C3&spaced=a%20b,c')],
    received: { query: { piped: [1, 2, 3], spaced: ['a', 'b,c'] } },
    rejects: { [list('piped=1|x')]: 400 },
    refuses: { 'spaced cannot be sent exactly': { spaced: ['b c'] } },
  }),
  shelf('one of several types', 'listShelves', {
    input: { either: 12 },
    sent: [list('either=12')],
    received: { query: { either: 12 } },
    rejects: { [list('either=a')]: [400, { title: 'invalid_request', status: 400 }] },
  }),
  shelf('another of several types', 'listShelves', {
    input: { either: 'ab' },
    sent: [list('either=ab')],
    received: { query: { either: 'ab' } },
  }),
  shelf('values without a type', 'listShelves', {
    input: { level: 2.5 },
    sent: [list('level=2.5')],
    received: { query: { level: 2.5 } },
    rejects: { [list('level=2')]: 400 },
  }),
  shelf('an object in a header', 'listShelves', {
    input: { 'X-Box': { width: '100%+' } },
    sent: ['GET /api/shelves/\nX-Box: width,100%+'],
    received: { headers: { 'X-Box': { width: '100%+' } } },
  }),
  shelf('separators in the values of a path', 'getTagsByTags', {
    input: { tags: ['a;b', 'c=%2C+'] },
    sent: ['GET /api/tags/;tags=a%3Bb;tags=c%3d%252C+'],
    received: { path: { tags: ['a;b', 'c=%2C+'] } },
  }),
  shelf('a list or null', 'getTagsByTags', {
    input: { tags: ['a'], counts: [1, 2] },
    sent: [tags('counts=1&counts=2')],
    received: { query: { counts: [1, 2], stamps: [1n] } },
    rejects: { [tags('counts=x')]: 400 },
  }),
  shelf('XML, which is text', 'getTagsByTags', {
    input: { tags: ['a'] },
    answer: { status: 200, body: '<tag>a</tag>' },
    data: '<tag>a</tag>',
  }),
  shelf('a keyword next to a reference', 'getTagsByTags', {
    input: { tags: ['a'], depth: 5 },
    sent: [tags('depth=5')],
    received: { query: { depth: 5, stamps: [1n] } },
    rejects: { [tags('depth=0')]: 400, [tags('depth=6')]: 400 },
  }),
  shelf('null in place of a list', 'getTagsByTags', {
    input: { tags: ['a'], counts: null },
    sent: [tags('counts=')],
    received: { query: { counts: null, stamps: [1n] } },
  }),
  shelf('a value or a list', 'getTagsByTags', {
    input: { tags: ['a'], one: true },
    sent: [tags('one=true')],
    received: { query: { one: true, stamps: [1n] } },
    rejects: { [tags('one=true&one=true')]: 400 },
  }),
  shelf('the length of a list of 64-bit integers', 'getTagsByTags', {
    input: { tags: ['a'], stamps: [9007199254740993n, 2] },
    sent: [tags('stamps=9007199254740993|2')],
    received: { query: { stamps: [9007199254740993n, 2n] } },
    rejects: { [tags('stamps=1|2|3')]: 400 },
  }),
  shelf('an object of parameters of any name', 'getTagsByTags', {
    input: { tags: ['a'], others: { size: 3 }, 'a+b': 'c' },
    sent: [tags('size=3&a%2Bb=c')],
    received: { query: { others: { size: 3 }, 'a+b': 'c', stamps: [1n] } },
    rejects: { [tags('size=big')]: 400 },
  }),
  shelf('spaces between the items of a header', 'getTagsByTags', {
    input: { tags: ['a'], 'X-Words': ['a', 'b c'] },
    sent: ['GET /api/tags/;tags=a\nAuthorization:\nX-Words: a, b c'],
    received: { headers: { 'X-Words': ['a', 'b c'] } },
    refuses: {
      'X-Words cannot be sent exactly': { tags: ['a'], 'X-Words': ['a,b'] },
      'X-Words cannot': { tags: ['a'], 'X-Words': ['a', ' b'] },
    },
  }),
  shelf('brackets in a name', 'listShelves', {
    input: { 'tags[]': ['a', 'b'] },
    sent: [list('tags[]=a&tags[]=b')],
    received: { query: { 'tags[]': ['a', 'b'] } },
    rejects: { [list('unknown=1')]: 400 },
  }),
  shelf('JSON in a parameter', 'listShelves', {
    input: { json: { a: 1 } },
    sent: [list('json=%7B%22a%22%3A1%7D')],
    received: { query: { json: { a: 1 } } },
    rejects: { [list('json=%7B%22a%22')]: 400 },
  }),
  shelf('an object of several parameters', 'listShelves', {
    input: { box: { width: 1.5, deep: true } },
    sent: [list('width=1.5&deep=true')],
    received: { query: { box: { width: 1.5, deep: true } } },
    // @ts-expect-error it is a number
    refuses: { 'box cannot be sent exactly': { box: { width: [[1]] } } },
  }),
  shelf('a list in a header', 'listShelves', {
    input: { 'X-Ids': [1, '9007199254740993'] },
    sent: ['GET /api/shelves/\nX-Ids: 1,9007199254740993'],
    received: { headers: { 'X-Ids': [1n, 9007199254740993n] } },
    refuses: { 'X-Ids is not an exact 64-bit integer': { 'X-Ids': [2 ** 60] } },
  }),
  shelf('a cookie', 'listShelves', {
    input: { session: 'a b' },
    sent: ['GET /api/shelves/\nCookie: other=1; session=a%20b'],
    received: { cookies: { session: 'a b' } },
  }),
  shelf('a list and a part of a segment in a path, and a key in a query', 'getShelvesByIdsByNameJson', {
    input: { ids: [1, '2'], name: 'a/b' },
    sent: ['GET /api/shelves/1,2/a%2Fb.json?api_key=KEY\nAuthorization:'],
    received: { path: { ids: [1n, 2n], name: 'a/b' } },
    rejects: {
      'GET /api/shelves/1,2/a.json': [401, { title: 'unauthorized', status: 401 }],
      'GET /api/shelves/1,x/a.json?api_key=KEY': 400,
      'GET /api/shelves/1,2/a.xml?api_key=KEY': 404,
    },
    // @ts-expect-error ids is required
    refuses: { 'ids is missing': { name: 'a' } },
  }),
  shelf('HEAD', 'headShelvesByIdsByNameJson', {
    input: { ids: [1], name: 'a' },
    received: { path: { ids: [1n], name: 'a' } },
  }),
  shelf('OPTIONS, and an operationId that is no identifier', 'shelfOptions', {
    input: { ids: [1], name: 'a' },
    received: { path: { ids: [1n], name: 'a' } },
  }),
  shelf('the root, text, and a default response', 'get', {
    input: {},
    sent: ['GET /api/\nAuthorization:'],
  }),
  shelf('keywords of JSON Schema that TypeScript does not have', 'postKeywords', {
    input: { body: { kind: 'a', tuple: [1, 'b'], 'x-1': 2 } },
    sent: [json('/api/keywords', '{"kind":"a","tuple":[1,"b"],"x-1":2}')],
    received: { body: { kind: 'a', tuple: [1, 'b'], 'x-1': 2 } },
    rejects: {
      [json('/api/keywords', '{"kind":"a"}')]: 400,
      [json('/api/keywords', '{"tuple":[1]}')]: 400,
      [json('/api/keywords', '{"some":["x","x","x"]}')]: 400,
      [json('/api/keywords', '{"card":"1"}')]: 400,
      [json('/api/keywords', '{"x-1":"2"}')]: 400,
      [json('/api/keywords', '{"other":1}')]: 400,
      [post('/api/keywords', 'application/x-www-form-urlencoded', 'kind=a')]: 415,
    },
    breaks: [{ status: 200, body: { kind: 'a' } }],
  }),
  shelf('fields next to a reference', 'postKeywords', {
    input: { body: { note: { text: 'Hello', by: 'Ada' } } },
    sent: [json('/api/keywords', '{"note":{"text":"Hello","by":"Ada"}}')],
    received: { body: { note: { text: 'Hello', by: 'Ada' } } },
    rejects: { [json('/api/keywords', '{"note":{"by":"Ada"}}')]: 400 },
  }),
  shelf('a multiple of a fraction', 'postKeywords', {
    input: { body: { price: 0.3 } },
    sent: [json('/api/keywords', '{"price":0.3}')],
    received: { body: { price: 0.3 } },
    rejects: { [json('/api/keywords', '{"price":0.35}')]: 400 },
  }),
  shelf('a recursion through branches, as far as it takes no time', 'postKeywords', {
    input: { body: { tree: { right: 1 } } },
    sent: [json('/api/keywords', '{"tree":{"right":1}}')],
    received: { body: { tree: { right: 1 } } },
    rejects: {
      [json('/api/keywords', `{"tree":${'{"left":'.repeat(20)}{"right":1}${'}'.repeat(21)}`)]: [
        400,
        { detail: 'The request has more values than can be checked: send fewer, or nest them less.' },
      ],
      [json('/api/keywords', '['.repeat(101) + ']'.repeat(101))]: [
        400,
        { detail: 'JSON must have at most 100 levels.' },
      ],
    },
  }),
  shelf('a form with a file', 'postForms', {
    input: { body: { file: png, count: 3, tags: ['a', 'b'] } },
    sent: [
      multipart(
        ['file; filename=file\r\nContent-Type: image/png', '\x89PNG'],
        ['count', '3'],
        ['tags', 'a'],
        ['tags', 'b'],
      ),
    ],
    received: { body: { file: file('file', 'image/png'), count: 3, tags: ['a', 'b'] } },
    rejects: {
      [multipart(['count', '3'])]: 400,
      [multipart(['file; filename=a.png\r\nContent-Type: image/png', ''], ['count', '1e-3'])]: 400,
      [multipart(['file; filename=a.png\r\nContent-Type: text/html', 'x'])]: [
        400,
        { detail: 'body/file must be image/png, not text/html.' },
      ],
      // RFC 7578 §4.4.
      [multipart(['file; filename=a.png', 'x'])]: [
        400,
        { detail: 'body/file must be image/png, not text/plain.' },
      ],
      // Of a form in HTML, if no file was chosen.
      [multipart(['file; filename=""\r\nContent-Type: application/octet-stream', ''])]: 400,
      [form('multipart/form-data; boundary=x', '--x\r\nnothing')]: 400,
      [form('multipart/form-data', '--x--')]: 400,
      [form('image/png', 'x')]: 415,
    },
    refuses: {
      // @ts-expect-error no media type has numbers
      'body cannot be sent as multipart/form-data': { body: 3 },
    },
  }),
  shelf('a file with its name and type in a form', 'postForms', {
    input: { body: { file: picture } },
    sent: [
      multipart(['file; filename="\xc3\x89 %221%22 %.png"\r\nContent-Type: image/png', '\x89PNG']),
      multipart(['file; filename="C:\\\xc3\x89 \\"1\\" %.png"\r\nContent-Type: image/png', '\x89PNG']),
    ],
    received: { body: { file: picture } },
  }),
  shelf('an empty file', 'postForms', {
    input: { body: { file: new File([], 'empty.png', { type: 'image/png' }) } },
    sent: [multipart(['file; filename=empty.png\r\nContent-Type: image/png', ''])],
    received: { body: { file: new File([], 'empty.png', { type: 'image/png' }) } },
  }),
  shelf('a form in a URL', 'postForms', {
    sent: [form('application/x-www-form-urlencoded', 'count=3&tags=a&tags=b')],
    received: { body: { count: 3, tags: ['a', 'b'] } },
    rejects: {
      [form('application/x-www-form-urlencoded', 'a&'.repeat(2_000))]: 400,
      [form('application/x-www-form-urlencoded', `${'a'.repeat(201)}=1`)]: 400,
    },
  }),
  shelf('names of every object in a form', 'postForms', {
    sent: [form('application/x-www-form-urlencoded', '__proto__=1&constructor=2')],
  }),
  shelf('text', 'postForms', {
    input: { body: 'Hello' },
    isNoTool: true,
    sent: [form('text/plain', 'Hello')],
    received: { body: 'Hello' },
    rejects: { [form('text/plain', 'a'.repeat(65))]: 400 },
  }),
  shelf('a range of media types', 'putPictures', {
    input: { body: png },
    sent: [post('/api/pictures', 'image/png', 'x', 'PUT')],
    received: {},
    rejects: {
      [post('/api/pictures', 'text/plain', 'x', 'PUT')]: 415,
    },
  }),
  shelf('a file in a range of media types', 'putPictures', {
    input: { body: picture },
    sent: [
      post(
        '/api/pictures',
        `image/png\nContent-Disposition: attachment; filename="a.png"; filename*=UTF-8''%C3%89%20%221%22%20%25.png`,
        '\x89PNG',
        'PUT',
      ),
    ],
    received: { body: picture },
  }),
  shelf('a picture with its type', 'getPictures', { input: {}, data: png }),
  shelf('a file of any type, JSON too', 'getFiles', { input: {}, data: png }),
  shelf('bytes as a Blob', 'putFiles', {
    input: { body: new Blob([png]) },
    isNoTool: true,
    received: { body: file('') },
  }),
  shelf('a Blob with its type', 'putFiles', {
    input: { body: new Blob([png], { type: 'application/json' }) },
    sent: [post('/api/files', 'application/json', '\x89PNG', 'PUT')],
    received: { body: file('', 'application/json') },
  }),
  shelf('bytes of any media type', 'putFiles', {
    input: { body: png },
    sent: [post('/api/files', 'application/octet-stream', '\x89PNG', 'PUT')],
    received: { body: file('') },
  }),
  shelf('a file', 'postForms', {
    input: { body: png },
    isNoTool: true,
    sent: [form('application/octet-stream', '\x89PNG')],
    received: { body: file('') },
  }),
  shelf('as many bytes as x-body-limit allows', 'postForms', {
    sent: [form('application/octet-stream', 'a'.repeat(2_000_000))],
    rejects: { [form('application/octet-stream', 'a'.repeat(2_000_001))]: 413 },
  }),
  behind('readOnly, writeOnly and defaults behind references', 'addBox', {
    input: { label: 'a', password: 'p' },
    sent: [json('/boxes', '{"label":"a","password":"p"}')],
    received: { body: { label: 'a', password: 'p', level: 7 } },
    headers: { 'X-Version': '1.10' },
    rejects: {
      [json('/boxes', '{"label":"a","password":"p","id":"x"}')]: invalid('body/id is read-only.'),
      [json('/boxes', '{"label":"a","password":"p","also":"x"}')]: invalid('body/also is read-only.'),
      [json('/boxes', '{"label":"a"}')]: invalid("body must have required property 'password'."),
    },
    // @ts-expect-error a password is never sent back
    breaks: [{ status: 201, headers: { 'X-Version': '1' }, body: { ...box, password: 'p' } }],
  }),
  behind('what is wrong with a value that may be null', 'addBox', {
    input: { label: 'a', password: 'p', maybe: null },
    received: { body: { label: 'a', password: 'p', level: 7, maybe: null } },
    answer: {
      status: 201,
      headers: { 'X-Version': '1' },
      body: { ...box, maybe: { text: 'a' }, all: { any: 1 } },
    },
    headers: { 'X-Version': '1' },
    rejects: {
      [json('/boxes', '{"label":"a","password":"p","maybe":{"text":1}}')]: invalid(
        'body/maybe/text must be string.',
      ),
      [json('/boxes', '{"label":"a","password":"p","maybe":1}')]: invalid('body/maybe must be object.'),
    },
    breaks: [
      // @ts-expect-error it is a text
      { status: 201, headers: { 'X-Version': '1' }, body: { ...box, maybe: { text: 1 } } },
    ],
  }),
  behind('every violation is counted', 'addBox', {
    rejects: {
      [json('/boxes', '{"label":1,"password":"p","small":2147483648}')]: invalid(
        'body/label must be string, and 1 more violation.',
      ),
    },
  }),
  behind('objects of any fields, open tuples and fields next to a reference', 'addBox', {
    input: {
      label: 'a',
      password: null,
      free: { any: [1] },
      pair: [1, 2, 'x', 'y'],
      note: { text: 'Hi', by: 'Ada' },
    },
    received: {
      body: {
        label: 'a',
        password: null,
        level: 7,
        free: { any: [1] },
        pair: [1, 2, 'x', 'y'],
        note: { text: 'Hi', by: 'Ada' },
      },
    },
    answer: {
      status: 201,
      headers: { 'X-Version': '1' },
      body: { ...box, free: { any: [1] }, pair: [1], note: { text: 'Hi', by: 'Ada' } },
    },
    headers: { 'X-Version': '1' },
    rejects: {
      [json('/boxes', '{"label":"a","password":"p","untyped":"text"}')]: invalid(
        'body/untyped must be object.',
      ),
      [json('/boxes', '{"label":"a","password":"p","pair":[1,2,3]}')]: invalid('body/pair/2 must be string.'),
    },
  }),
  behind('defaults in the alternative that fits', 'addBox', {
    input: { label: 'a', password: 'p', animal: { kind: 'cat' } },
    received: { body: { label: 'a', password: 'p', level: 7, animal: { kind: 'cat', lives: 7 } } },
  }),
  behind('a form by allOf, with files behind references', 'addScan', {
    input: { body: { label: 'a', file: png, more: [png, png], pages: 3, meta: { text: 'b' } } },
    sent: [
      scan(
        ['label', 'a'],
        ['file; filename=file\r\nContent-Type: application/octet-stream', '\x89PNG'],
        ['more; filename=more\r\nContent-Type: application/octet-stream', '\x89PNG'],
        ['more; filename=more\r\nContent-Type: application/octet-stream', '\x89PNG'],
        ['pages', '3'],
        ['meta; filename=blob', '{"text":"b"}'],
      ),
    ],
    received: {
      body: {
        label: 'a',
        file: file('file'),
        more: [file('more'), file('more')],
        pages: 3,
        meta: { text: 'b' },
      },
    },
    rejects: {
      [scan(['label', 'a'])]: invalid("body must have required property 'file'."),
      [scan(['label', 'a'], ['file; filename=a.png', 'x'], ['pages', '2147483648'])]: invalid(
        'body/pages must be an integer within ±2^31.',
      ),
    },
  }),
  behind('a file or null', 'addScan', {
    input: { body: { label: 'a', file: png, cover: png } },
    received: { body: { label: 'a', file: file('file'), cover: file('cover') } },
  }),
  behind('a discriminator whose tags the branches do not state', 'addAlert', {
    input: { body: { via: 'mail', subject: 'Hi' } },
    sent: [json('/alerts', '{"via":"mail","subject":"Hi"}')],
    received: { body: { via: 'mail', subject: 'Hi' } },
    rejects: {
      [json('/alerts', '{"via":"mail","subject":3}')]: invalid('body/subject must be string.'),
      [json('/alerts', '{"via":"fax"}')]: invalid(
        'body/via must be equal to one of the allowed values: mail, sms.',
      ),
      [json('/alerts', '{}')]: invalid("body must have required property 'via'."),
    },
    breaks: [
      // @ts-expect-error a text has a number
      { status: 200, body: { via: 'sms', number: 'one' } },
    ],
  }),
  behind('null beside tagged alternatives', 'addAlert', {
    input: { body: null },
    received: { body: null },
    answer: { status: 200, body: null },
  }),
  behind('a base whose tag names what extends it', 'addVehicle', {
    input: { body: { kind: 'car', doors: 4 } },
    received: { body: { kind: 'car', doors: 4 } },
    answer: { status: 200, body: { kind: 'car', doors: 4 } },
    rejects: {
      [json('/vehicles', '{"kind":"car","doors":"four"}')]: invalid('body/doors must be integer.'),
      [json('/vehicles', '{"kind":"van"}')]: invalid(
        'body/kind must be equal to one of the allowed values: car, Sports, Vehicle.',
      ),
    },
    breaks: [
      // @ts-expect-error it is an integer
      { status: 200, body: { kind: 'car', doors: 'four' } },
    ],
  }),
  behind('a base whose tag names what extends it through another', 'addVehicle', {
    input: { body: { kind: 'Sports', doors: 2, turbo: true } },
    received: { body: { kind: 'Sports', doors: 2, turbo: true } },
    rejects: {
      [json('/vehicles', '{"kind":"Sports","doors":"two"}')]: invalid('body/doors must be integer.'),
      [json('/vehicles', '{"kind":"Sports","turbo":1}')]: invalid('body/turbo must be boolean.'),
    },
  }),
  behind('alternatives of an alternative, told apart by the same field', 'addEvent', {
    input: { body: { type: 'Click', button: 1 } },
    received: { body: { type: 'Click', button: 1 } },
    answer: { status: 200, body: { type: 'Move', x: 1 } },
    rejects: {
      [json('/events', '{"type":"Click"}')]: invalid("body must have required property 'button'."),
      [json('/events', '{"type":"Pointer"}')]: invalid(
        'body/type must be equal to one of the allowed values: Click, Move, Round, Square.',
      ),
    },
    breaks: [
      // @ts-expect-error a click has a button
      { status: 200, body: { type: 'Click' } },
    ],
  }),
  behind('a base that lists what extends it through another', 'addEvent', {
    input: { body: { type: 'Square', inside: { type: 'Round', radius: 1 } } },
    received: { body: { type: 'Square', color: 'red', inside: { type: 'Round', radius: 1, color: 'red' } } },
    answer: { status: 200, body: { type: 'Round', radius: 2, id: 'a' } },
    rejects: {
      [json('/events', '{"type":"Square","inside":{"type":"Round"}}')]: invalid(
        "body/inside must have required property 'radius'.",
      ),
      [json('/events', '{"type":"Round","radius":1,"id":"a"}')]: invalid('body/id is read-only.'),
    },
    breaks: [
      // @ts-expect-error it has a radius
      { status: 200, body: { type: 'Round' } },
    ],
  }),
  behind('lists of themselves', 'putJson', {
    input: { body: [1, ['a', null, { b: [[]] }]] },
    received: { body: [1, ['a', null, { b: [[]] }]] },
    rejects: {
      [json('/json', '[[true]]', 'PUT')]: invalid('body must match exactly one schema in oneOf.'),
    },
    breaks: [
      // @ts-expect-error it has no booleans
      { status: 200, body: [[true]] },
    ],
  }),
  behind('a body in the first of two JSON types', 'patchNote', {
    input: { body: [{ op: 'remove' }], within: [1, 2] },
    received: { query: { within: [1, 2] }, body: [{ op: 'remove' }] },
    rejects: {
      [post('/notes?within=[1,2,3]', 'application/merge-patch+json', '{"text":"a"}', 'PATCH')]: invalid(
        'within must NOT have more than 2 items.',
      ),
    },
  }),
  behind('a body in the second of two JSON types', 'patchNote', {
    sent: [post('/notes', 'application/merge-patch+json', '{"text":"a"}', 'PATCH')],
    received: { body: { text: 'a' } },
    rejects: {
      [post('/notes', 'application/merge-patch+json', '[{"op":"remove"}]', 'PATCH')]: 400,
      [post('/notes', 'application/json-patch+json', '{"text":"a"}', 'PATCH')]: 400,
    },
  }),
  behind('a form where a body is usually JSON', 'patchNote', {
    sent: [
      multipart(['scan; filename=a.png\r\nContent-Type: image/png', '\x89PNG']).replace(
        'POST /api/forms',
        'PATCH /notes',
      ),
    ],
    received: { body: { scan: file('a.png', 'image/png') } },
  }),
  behind('bytes where a body is usually JSON', 'putCover', {
    input: { body: png },
    isNoTool: true,
    received: { body: file('', 'image/png') },
    answer: { status: 200, headers: { 'Content-Type': 'image/png' }, body: png },
  }),
  behind('text where a body is usually JSON', 'putCover', {
    input: { body: 'a,b' },
    isNoTool: true,
    sent: [post('/covers', 'text/csv', 'a,b', 'PUT')],
    received: { body: 'a,b' },
  }),
  behind('JSON where a body may be bytes', 'putCover', {
    input: { body: { text: 'a' } },
    received: { body: { text: 'a' } },
  }),
  behind('bytes where a response is usually JSON', 'putCover', {
    input: { body: { text: 'a' } },
    answer: { status: 200, headers: { 'Content-Type': 'image/png' }, body: png },
  }),
  behind('fields of a form in a style', 'addStamp', {
    input: { body: { colors: ['red', 'a,b'], place: { x: 1, y: 2 }, note: null, size: [1, 2] } },
    sent: [urlencoded('colors=red,a%2Cb&place[x]=1&place[y]=2&note=&size=1&size=2')],
    received: { body: { colors: ['red', 'a,b'], place: { x: 1, y: 2 }, note: null, size: [1, 2] } },
    rejects: {
      [urlencoded('colors=red&place[x]=one')]: invalid('body/place/x must be integer.'),
      [urlencoded('size=1')]: invalid("body must have required property 'colors'."),
    },
  }),
  behind('fields of a form, without their style', 'addStamp', {
    sent: [urlencoded('colors=red&colors=blue&place=%7B%22x%22%3A1%7D')],
    received: { body: { colors: ['red', 'blue'], place: { x: 1 } } },
  }),
  behind('files as Blob and File', 'addScan', {
    input: { body: { label: 'a', file: new Blob([png], { type: 'image/gif' }), more: [picture, png] } },
    received: {
      body: { label: 'a', file: file('file', 'image/gif'), more: [picture, file('more')] },
    },
  }),
  behind('a reference into a component, with the last name of another', 'addBox', {
    input: { label: 'a', password: 'p', small: 1, inner: { of: 'x' }, owner: { Small: { of: 'y' } } },
    received: {
      body: {
        label: 'a',
        password: 'p',
        level: 7,
        small: 1,
        inner: { of: 'x' },
        owner: { Small: { of: 'y' } },
      },
    },
    answer: { status: 201, headers: { 'X-Version': '1' }, body: { ...box, inner: { by: 'z' } } },
    headers: { 'X-Version': '1' },
    rejects: {
      [json('/boxes', '{"label":"a","password":"p","inner":{"by":"x"}}')]: invalid(
        'body/inner/by is read-only.',
      ),
    },
  }),
  behind('integers of 32 bits in a response and its headers', 'addBox', {
    input: { label: 'a', password: 'p' },
    answer: {
      status: 201,
      headers: { 'X-Version': '1', 'X-Size': 2 ** 31 - 1 },
      body: { ...box, small: -(2 ** 31) },
    },
    headers: { 'X-Version': '1', 'X-Size': 2 ** 31 - 1 },
    breaks: [
      { status: 201, headers: { 'X-Version': '1', 'X-Size': 2 ** 31 }, body: box },
      { status: 201, headers: { 'X-Version': '1' }, body: { ...box, small: 2 ** 31 } },
    ],
  }),
  behind('styles with a prefix, lists of objects, and a key that is also declared', 'search', {
    input: { color: 'blue', size: [1, 2], page: 3, lines: [{ sku: 'a', n: 2 }, { sku: 'b' }] },
    sent: ['GET /search/;color=blue/.1,2?page=3&lines[0][sku]=a&lines[0][n]=2&lines[1][sku]=b'],
    received: {
      path: { color: 'blue', size: [1, 2] },
      query: { page: 3, lines: [{ sku: 'a', n: 2 }, { sku: 'b' }] },
    },
    rejects: {
      'GET /search/blue/.1': invalid('color must be written as ;color=value.'),
      'GET /search/;color=blue/1': invalid('size must be written as .value.'),
      'GET /search/;color=blue/.1?page=2147483648': invalid('page must be a 32-bit decimal integer.'),
      'GET /search/;color=blue/.2147483648': 400,
    },
  }),
  behind('a required object without required fields', 'list', {
    input: { pageable: {} },
    sent: ['GET /pages'],
    received: { query: { pageable: {} } },
    headers: { 'X-Version': 1.5, 'X-Tags': [1, 2] },
  }),
  behind('a list in JSON in a header of a response', 'list', {
    input: { pageable: {} },
    answer: { status: 200, headers: { 'X-Shape': [1, 2] }, body: [] },
    headers: { 'X-Shape': [1, 2] },
    breaks: [
      { status: 200, headers: { 'X-Shape': [1.5] }, body: [] },
      // @ts-expect-error it is a list
      { status: 200, headers: { 'X-Shape': '[1]' }, body: [] },
    ],
  }),
  behind('a list among the fields of an object', 'list', {
    input: { pageable: { page: 1, sort: ['name,asc', 'age'] } },
    sent: ['GET /pages?page=1&sort=name,asc&sort=age'],
    received: { query: { pageable: { page: 1, sort: ['name,asc', 'age'] } } },
    headers: { 'X-Version': 1.5, 'X-Tags': [1, 2] },
  }),
  behind('HEAD with declared content', 'headPages', { input: {}, data: undefined }),
  behind('the media type that the body fits', 'getReport', {
    input: {},
    isNoTool: true,
    answer: { status: 200, body: 'a,b\n' },
  }),
  behind('the media type that the handler names', 'getReport', {
    input: {},
    isNoTool: true,
    answer: { status: 200, headers: { 'Content-Type': 'application/pdf' }, body: png },
  }),
  behind('a media type of a range that the handler names', 'getReport', {
    input: {},
    isNoTool: true,
    answer: { status: 200, headers: { 'Content-Type': 'image/png' }, body: png },
  }),
  behind('HEAD with text', 'headReport', { input: {}, sent: ['HEAD /report'], data: undefined }),
  behind('a parameter called body beside a body', 'sendMail', {
    input: { body: { to: 'Ada', body: 'long' }, body_: 'short' },
    sent: [json('/mails?body=short', '{"to":"Ada","body":"long"}')],
    received: { query: { body: 'short' }, body: { to: 'Ada', body: 'long' } },
  }),
  behind('media types that differ in a parameter, and a range', 'GetReport2', {
    input: { a: 'x' },
    sent: [
      shelfJson('vnd.shelf+json; kind=short', '{"a":"x"}'),
      shelfJson('vnd.shelf+json; kind=full', '{"b":"x"}'),
      shelfJson('merge-patch+json', '{"c":"x"}'),
    ],
    received: {},
    rejects: {
      [shelfJson('vnd.shelf+json; kind=full', '{"a":"x"}')]: 400,
      [shelfJson('merge-patch+json', '{"b":"x"}')]: 400,
      [shelfJson('json', '{"c":"x"}')]: 415,
    },
  }),
];

/* What rows do not show: types of inputs that are there, and of those that may be missing. */

declare const found: OfLibrary['findBooks']['received'];
declare const changed: OfLibrary['changeBook']['received'];
declare const failed: ShelvesError;
declare const behindClient: Behind;
declare const paid: OfLibrary['pay']['received'];
() => {
  if (typeof failed.body === 'object' && typeof failed.body.title === 'string')
    failed.body.title satisfies string;
  // @ts-expect-error it is readOnly in the component that is referred into
  void behindClient.addBox({ label: 'a', password: 'p', inner: { by: 'x' } });
  found.query.limit satisfies number;
  found.query.after satisfies bigint;
  found.headers['X-Depth'] satisfies number;
  // @ts-expect-error it has no default
  found.query.name satisfies string;
  // @ts-expect-error the body may be missing
  void changed.body.name;
  if (paid.body.method === 'card') paid.body.number satisfies string;
  // @ts-expect-error only a card has a number
  else paid.body.number satisfies string;
};
