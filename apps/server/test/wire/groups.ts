import { once } from 'node:events';
import { parse } from 'yaml';
import { until } from '@contract-kit/test-support/testing';
import { breakTable, generateApiKey } from '../support/petstore.ts';
import type { StoredOrder } from '../../src/orders/order-row.ts';
import { connect, request } from './http.ts';
import type { Recorder } from './recorder.ts';
import type { WireService } from './service.ts';

/* What is sent: the requests of the wire record, by file. */

interface Group {
  /** The variables of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Only on SQLite with the embedded limiter: it moves the clock, waits, or is not about a database. */
  readonly isEmbeddedOnly?: boolean;
  readonly play: (service: WireService, recorder: Recorder) => Promise<void>;
}

/** A request to a host that gets the metrics. */
const atLocalhost = (line: string) => request(line).replace('Host: petstore.example', 'Host: localhost');

const LIST = 'GET /v1/store/orders';
const bearer = (key: string) => `Authorization: Bearer ${key}`;
const CLOSE = 'Connection: close';

const ORDERS: readonly Partial<StoredOrder>[] = [
  { id: 1, petId: 12, quantity: 1, shipDate: '2026-12-01T09:00:00.000Z', complete: false },
  { id: 2, petId: 7, quantity: 3, shipDate: '2026-11-18T14:30:00.123Z', complete: true, status: 'shipped' },
  { id: 3, petId: -3, quantity: 0 },
  { id: 4, status: 'cancelled' },
  { id: 5, complete: true },
  { id: 9_007_199_254_740_991, petId: 9_007_199_254_740_991, quantity: 9_007_199_254_740_991 },
];

/** A key that is never used up in a group. */
async function newKey(service: WireService, recorder: Recorder, name = '{key}'): Promise<string> {
  const key = await service.key('business');
  recorder.name(key, name);
  return key;
}

function unknownKey(recorder: Recorder): string {
  const key = generateApiKey();
  recorder.name(key, '{unknown key}');
  return key;
}

const MALFORMED_IDS = [
  ...[
    'abc',
    '01',
    '+1',
    '-0',
    '1.0',
    '1e3',
    '0x10',
    '1_000',
    '1,2',
    'NaN',
    'null',
    '%201',
    '1%20',
    '%31%00',
    '%2B1',
  ],
  ...[
    '%D9%A1',
    '%EF%BC%91',
    '9223372036854775808',
    '-9223372036854775809',
    '1'.repeat(200),
    '{orderId}',
    "1'--",
    '%2e',
  ],
];
/** Other ways to write an id, and ids that no order has. */
const OTHER_IDS = [
  '%31',
  '0',
  '-1',
  '4711',
  '9223372036854775807',
  '-9223372036854775808',
  '9007199254740993',
];

export const groups: Readonly<Record<string, Group>> = {
  lists: {
    async play(service, recorder) {
      const key = await newKey(service, recorder);
      const list = (title: string, line = LIST, headers: readonly string[] = []) =>
        recorder.send(title, request(line, [bearer(key), ...headers]));
      await list('an empty list');
      await list('HEAD of an empty list', 'HEAD /v1/store/orders');
      await service.addOrders(ORDERS);
      await list('every kind of order');
      await list('HEAD of it', 'HEAD /v1/store/orders');
      recorder.name(await recorder.pass(request(LIST, [bearer(key)])), '{the same list}');
      await list('again, from the cache');
      await list('on a connection that is closed', LIST, [CLOSE]);
      await list('Accept: text/html', LIST, ['Accept: text/html']);
      await list('Accept-Encoding: gzip', LIST, ['Accept-Encoding: gzip, br']);
      await list('a conditional request', LIST, [
        'If-None-Match: *',
        'If-Modified-Since: Sat, 21 Nov 2026 12:00:00 GMT',
      ]);
      await list('a range', LIST, ['Range: bytes=0-9']);
      await list('a query without parameters', `${LIST}?`);
      for (const query of [
        'page=2',
        'page=2&limit=1',
        '[page]=2',
        'a[b]=1',
        'page',
        '=',
        '&',
        '%',
        '%zz=1',
        'page=%00',
        'orderId=1',
        '__proto__=1',
      ])
        await list(`an undeclared query: ${query}`, `${LIST}?${query}`);
      await list('a fragment', `${LIST}#a`);
      await recorder.send('HTTP/1.0', request(LIST, [bearer(key)], { version: '1.0' }));
      await recorder.send(
        'HTTP/1.0 with keep-alive',
        request(LIST, [bearer(key), 'Connection: keep-alive'], { version: '1.0' }),
      );
      await recorder.send(
        'the absolute form',
        request('GET http://other.example/v1/store/orders', [bearer(key)]),
      );
    },
  },

  'long-list': {
    async play(service, recorder) {
      const key = await newKey(service, recorder);
      // More than is cached and sent in one piece.
      const MAX = Number.MAX_SAFE_INTEGER;
      const orders = Array.from({ length: 75_000 }, (_, index) => ({
        id: index + 1,
        petId: MAX,
        quantity: MAX,
        shipDate: '2026-12-01T09:00:00.000Z',
        complete: false,
      }));
      await service.addOrders(orders);
      recorder.name(JSON.stringify(orders), '{the list of all 75,000 orders}');
      await recorder.send('a list in chunks', request(LIST, [bearer(key)]));
      await recorder.send('HEAD', request('HEAD /v1/store/orders', [bearer(key)]));
      await recorder.send(
        'a list in chunks for a connection that is closed',
        request(LIST, [bearer(key), CLOSE]),
      );
      await recorder.send(
        'to HTTP/1.0, which has no chunks',
        request(LIST, [bearer(key)], { version: '1.0' }),
      );
      await recorder.send(
        'before another request on the connection',
        request(LIST, [bearer(key)]),
        request('DELETE /v1/store/orders/1', [bearer(key), CLOSE]),
      );
    },
  },

  cancels: {
    async play(service, recorder) {
      const key = await newKey(service, recorder);
      const cancel = (title: string, id: string, headers: readonly string[] = []) =>
        recorder.send(title, request(`DELETE /v1/store/orders/${id}`, [bearer(key), ...headers]));
      await service.addOrders(ORDERS);
      await cancel('a pending order', '1');
      await cancel('the same again', '1');
      await cancel('a pending order, on a connection that is closed', '3', [CLOSE]);
      await cancel('a shipped order', '2');
      await cancel('an order that was imported as cancelled', '4');
      await cancel('the largest id', '9007199254740991');
      for (const id of OTHER_IDS) await cancel(`the id ${id}`, id);
      for (const id of MALFORMED_IDS) await cancel(`a malformed id: ${id.slice(0, 30)}`, id);
      await cancel('an undeclared query', '5?force=true');
      await cancel('a query without parameters', '5?');
      await recorder.send(
        'HTTP/1.0',
        request('DELETE /v1/store/orders/2', [bearer(key)], { version: '1.0' }),
      );
      await recorder.send('the list afterwards', request(LIST, [bearer(key)]));
    },
  },

  authentication: {
    async play(service, recorder) {
      const key = await newKey(service, recorder);
      const { id, key: revoked } = await service.keyWithId();
      recorder.name(revoked, '{revoked key}');
      await service.store.keys.revoke(id, new Date(service.clock()));
      const unknown = unknownKey(recorder);
      const changed = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
      recorder.name(changed, '{key with another last character}');
      const forms: readonly (readonly [string, ...string[]])[] = [
        ['no header'],
        ['an empty header', 'Authorization:'],
        ['the scheme alone', 'Authorization: Bearer'],
        ['the scheme and a space', 'Authorization: Bearer '],
        ['no scheme', `Authorization: ${key}`],
        ['another scheme', 'Authorization: Basic dXNlcjpzZWNyZXQ='],
        ['another scheme that names ours', `Authorization: Basic bearer ${key}`],
        ['a scheme that begins as ours', `Authorization: Bearers ${key}`],
        ['a key that is no key', 'Authorization: Bearer secret'],
        ['a key with a wrong checksum', bearer(changed)],
        ['a key that is too short', bearer('pst_abc')],
        ['an unknown key', bearer(unknown)],
        ['a revoked key', bearer(revoked)],
        ['two keys in one header', `${bearer(key)}, Bearer ${key}`],
        ['a word after the key', `${bearer(key)} more`],
        ['two headers', bearer(key), bearer(unknown)],
        ['two equal headers', bearer(key), bearer(key)],
        ['the key in X-API-Key', `X-API-Key: ${key}`],
        ['the key in a cookie', `Cookie: apiKey=${key}; Authorization=${key}`],
        ['lower case', `authorization: bearer ${key}`],
        ['upper case', `AUTHORIZATION: BEARER ${key}`],
        ['several spaces', `Authorization:   Bearer    ${key}   `],
        ['a tab', `Authorization: Bearer\t${key}`],
      ];
      for (const [title, ...headers] of forms) await recorder.send(title, request(LIST, headers));
      await recorder.send('the key in the query', request(`${LIST}?access_token=${key}`));
      await recorder.send(
        'the key in the query of a path without operation',
        request(`GET /v1/nothing?key=${key}`),
      );
      const other: readonly (readonly [string, string])[] = [
        ['HEAD', 'HEAD /v1/store/orders'],
        ['a cancel', 'DELETE /v1/store/orders/1'],
        ['a cancel with a malformed id', 'DELETE /v1/store/orders/abc'],
        ['an undeclared query', `${LIST}?page=2`],
        ['the deprecated operation', 'GET /v1/pets/12'],
        ['an unknown path', 'GET /v1/nothing'],
        ['a method that is not allowed', 'POST /v1/store/orders'],
      ];
      for (const [title, line] of other) await recorder.send(`no key: ${title}`, request(line));
      for (const [title, line] of other)
        await recorder.send(`an unknown key: ${title}`, request(line, [bearer(unknown)]));
    },
  },

  pets: {
    async play(service, recorder) {
      const key = await newKey(service, recorder);
      await service.addPets([
        { id: 12, name: 'Rex' },
        { id: 13 },
        { id: 14, name: 'Zoë "the cat" </script> \u2028 🐈' },
      ]);
      const lines = [
        ...[
          'GET /v1/pets/12',
          'GET /v1/pets/13',
          'GET /v1/pets/14',
          'GET /v1/pets/%31%32',
          'HEAD /v1/pets/12',
        ],
        ...[
          'GET /v1/pets/4711',
          'HEAD /v1/pets/4711',
          'GET /v1/pets/abc',
          'GET /v1/pets/012',
          'GET /v1/pets/%zz',
        ],
        ...[
          'GET /v1/pets/9223372036854775808',
          'GET /v1/pets/12?a=1',
          'GET /v1/pets/12/',
          'GET /v1/pets',
          'GET /v1/pets/',
        ],
        ...['OPTIONS /v1/pets/12', 'DELETE /v1/pets/12', 'POST /v1/pets/12'],
      ];
      for (const line of lines) await recorder.send(line, request(line, [bearer(key)]));
      await recorder.send(
        'an expectation that cannot be met',
        request('GET /v1/pets/12', [bearer(key), 'Expect: tea']),
      );
    },
  },

  paths: {
    async play(service, recorder) {
      const key = await newKey(service, recorder);
      await service.addOrders(ORDERS);
      const lines = [
        ...[
          'GET /v1',
          'GET /v1/',
          'GET /v1/nothing',
          'GET /v1/store',
          'GET /v2/store/orders',
          'GET /store/orders',
          'GET /nothing',
        ],
        ...[
          'GET /v1/store/orders/',
          'GET /V1/store/orders',
          'GET /v1/Store/orders',
          'GET /v1/store/ORDERS',
          'GET //v1/store/orders',
        ],
        ...[
          'GET /v1//store/orders',
          'GET /v1/store//orders',
          'GET /v1/./store/orders',
          'GET /v1/pets/../store/orders',
        ],
        ...[
          'GET /v1/%73tore/orders',
          'GET /v1/store%2Forders',
          'GET /%761/store/orders',
          'GET /v1/store/orders%00',
          'GET /v1/store/orders%20',
        ],
        ...[
          'GET /v1/store/orders;a=1',
          'GET /v1/%zz',
          'GET /%zz',
          'GET /v1/%',
          'GET /v1/%E0%A4',
          'GET /v1\\store\\orders',
        ],
        ...[
          'DELETE /v1/store/orders/',
          'DELETE /v1/store/orders/1/',
          'DELETE /v1/store/orders/1/2',
          'DELETE /v1/store/orders/..',
        ],
        ...[
          'DELETE /v1/store/orders/%2e%2e',
          'DELETE /v1/store/orders/%2F',
          'DELETE /v1/store/orders/1%2F',
          'GET /v1/store/orders/1',
        ],
        ...[
          'HEAD /v1/store/orders/1',
          'HEAD /v1/nothing',
          'HEAD /nothing',
          'OPTIONS /v1/store/orders',
          'OPTIONS /v1/store/orders/1',
        ],
        ...[
          'OPTIONS /v1/nothing',
          'OPTIONS /nothing',
          'OPTIONS *',
          'OPTIONS /',
          'OPTIONS /v1',
          'OPTIONS /v1/store/orders/abc',
        ],
        ...['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'SEARCH'].map(
          (method) => `${method} /v1/store/orders`,
        ),
        ...['POST', 'PUT', 'PATCH', 'TRACE'].map((method) => `${method} /v1/store/orders/1`),
        ...['POST /v1/nothing', 'POST /nothing', 'DELETE /v1', 'CONNECT petstore.example:443'],
      ];
      for (const line of lines) await recorder.send(line, request(line, [bearer(key)]));
      await recorder.send(
        'another method in a header',
        request(LIST, [bearer(key), 'X-HTTP-Method-Override: DELETE']),
      );
    },
  },

  headers: {
    async play(service, recorder) {
      const key = await newKey(service, recorder);
      const get = (title: string, ...headers: readonly string[]) =>
        recorder.send(title, request('GET /v1/pets/1', [bearer(key), ...headers]));
      await get('a request id', 'X-Request-Id: checkout-42.a_b:c');
      await get('a request id of 128 characters', `X-Request-Id: ${'a'.repeat(128)}`);
      await get('a request id of 129 characters', `X-Request-Id: ${'a'.repeat(129)}`);
      await get('an empty request id', 'X-Request-Id:');
      await get('a request id with a space', 'X-Request-Id: a b');
      await get('a request id with quotes', 'X-Request-Id: "a"');
      await get('a request id that is not ASCII', 'X-Request-Id: \xe4');
      await get('two request ids', 'X-Request-Id: a', 'X-Request-Id: b');
      await get('a key as request id', `X-Request-Id: ${key}`);
      await get('a trace', 'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
      await get('an upgrade', 'Connection: Upgrade', 'Upgrade: websocket');
      await get(
        'an upgrade to HTTP/2',
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
      );
      await get(
        'an address of a proxy that is not trusted',
        'X-Forwarded-For: 203.0.113.1',
        'X-Forwarded-Proto: https',
        'Forwarded: for=203.0.113.1',
      );
      await get('an origin', 'Origin: https://shop.example');
      await get('2,500 headers', ...Array.from({ length: 2_500 }, () => 'a:'));
    },
  },

  bodies: {
    async play(service, recorder) {
      const key = await newKey(service, recorder);
      await service.addOrders(ORDERS);
      const cancel = (
        title: string,
        headers: readonly string[],
        body = '',
        line = 'DELETE /v1/store/orders/2',
      ) => recorder.send(title, request(line, [bearer(key), ...headers], { body }));
      await cancel('JSON', ['Content-Type: application/json'], '{"force":true}');
      await cancel('JSON that is malformed', ['Content-Type: application/json'], '{');
      await cancel('a body without a type', [], 'a=1');
      await cancel('a type that does not exist', ['Content-Type: a/b/c; d'], 'a');
      await cancel('a type and no body', ['Content-Type: text/plain']);
      await cancel('a body that is compressed', ['Content-Encoding: gzip'], 'abc');
      await cancel('a body for GET', ['Content-Type: text/plain'], 'abc', LIST);
      await cancel('a body for HEAD', ['Content-Type: text/plain'], 'abc', 'HEAD /v1/store/orders');
      await cancel(
        'a body for a method that is not allowed',
        ['Content-Type: application/json'],
        '{}',
        'POST /v1/store/orders',
      );
      await cancel(
        'a body for a path without operation',
        ['Content-Type: application/json'],
        '{}',
        'POST /v1/nothing',
      );
      await cancel('a body of 200 kB', [], 'a'.repeat(200_000));
      await cancel('a body of 100 kB', [], 'a'.repeat(100_000));
      const chunked = (title: string, chunks: string, ...headers: readonly string[]) =>
        recorder.send(
          title,
          request('DELETE /v1/store/orders/2', [bearer(key), 'Transfer-Encoding: chunked', ...headers]) +
            chunks,
        );
      await chunked('chunks', '2\r\nab\r\n0\r\n\r\n');
      await chunked('chunks with an extension and a trailer', '2;a=1\r\nab\r\n0\r\nX-A: b\r\n\r\n');
      await chunked('no chunks', '0\r\n\r\n');
      await cancel('Expect: 100-continue', ['Expect: 100-continue'], 'abc');
      await cancel('Expect: 100-Continue without a body', ['Expect: 100-Continue']);
      await cancel('an expectation that cannot be met', ['Expect: tea'], 'abc');
      await recorder.send('the same without a key', request('DELETE /v1/store/orders/2', ['Expect: tea']));
    },
  },

  parser: {
    async play(service, recorder) {
      const key = await newKey(service, recorder);
      const auth = bearer(key);
      const START = 'DELETE /v1/store/orders/1 HTTP/1.1\r\nHost: petstore.example\r\n';
      // Only what the parsers of Node.js 20.19 to 26 do alike.
      const malformed: readonly (readonly [string, string])[] = [
        ['no HTTP at all', 'hello\r\n\r\n'],
        ['an empty line, then no HTTP', '\r\nhello\r\n\r\n'],
        ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
        ['an unknown method', 'BREW /v1 HTTP/1.1\r\nHost: a\r\n\r\n'],
        ['a method in lower case', 'get /v1 HTTP/1.1\r\nHost: a\r\n\r\n'],
        ['a target without a slash', 'GET v1/store HTTP/1.1\r\nHost: a\r\n\r\n'],
        ['a target with a space', 'GET /v1/store orders HTTP/1.1\r\nHost: a\r\n\r\n'],
        ['no version', 'GET /v1\r\nHost: a\r\n\r\n'],
        ['HTTP/0.9', `DELETE /v1/store/orders/1 HTTP/0.9\r\nHost: a\r\n${auth}\r\n\r\n`],
        ['HTTP/2.0 in a request line', `DELETE /v1/store/orders/1 HTTP/2.0\r\nHost: a\r\n${auth}\r\n\r\n`],
        ['HTTP/1.2', `DELETE /v1/store/orders/1 HTTP/1.2\r\nHost: a\r\n${auth}\r\n\r\n`],
        ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
        [
          'HTTP/1.0 with chunks',
          `DELETE /v1/store/orders/1 HTTP/1.0\r\n${auth}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        ],
        ['no Host', `DELETE /v1/store/orders/1 HTTP/1.1\r\n${auth}\r\n\r\n`],
        ['two Hosts', `${START}${auth}\r\nHost: b\r\n\r\n`],
        ['an empty Host', `GET /v1/nothing HTTP/1.1\r\nHost:\r\n${auth}\r\nConnection: close\r\n\r\n`],
        ['a Host with a space', `GET /v1/nothing HTTP/1.1\r\nHost: a b\r\n${auth}\r\n\r\n`],
        ['a Host with a path', `GET /v1/nothing HTTP/1.1\r\nHost: a/b\r\n${auth}\r\n\r\n`],
        ['a folded header', `${START}${auth}\r\nX-A: b\r\n c\r\n\r\n`],
        ['a header without a colon', `${START}${auth}\r\nX-A\r\n\r\n`],
        ['a bare CR in a header', `${START}${auth}\r\nX-A: b\rX-B: c\r\n\r\n`],
        ['a NUL in a header', `${START}${auth}\r\nX-A: b\0c\r\n\r\n`],
        ['two Content-Lengths', `${START}${auth}\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n`],
        ['a Content-Length that is no number', `${START}${auth}\r\nContent-Length: 1e1\r\n\r\n`],
        ['a negative Content-Length', `${START}${auth}\r\nContent-Length: -1\r\n\r\n`],
        [
          'Content-Length and chunks',
          `${START}${auth}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        ],
        ['an unknown Transfer-Encoding', `${START}${auth}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
        [
          'another Transfer-Encoding before chunks',
          `${START}${auth}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
        ],
        [
          'a chunk that ends in a bare LF',
          `${START}${auth}\r\nTransfer-Encoding: chunked\r\n\r\n2\nab\n0\n\n`,
        ],
        [
          'a broken chunk after a good one',
          `${START}${auth}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nzz\r\n`,
        ],
        ['20 kB of headers', `${START}${auth}\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`],
        ['a target of 20 kB', `GET /v1/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
        [
          '15 kB of headers',
          `GET /v1/nothing HTTP/1.1\r\nHost: a\r\n${auth}\r\nConnection: close\r\nX-A: ${'a'.repeat(15_000)}\r\n\r\n`,
        ],
      ];
      for (const [title, bytes] of malformed) await recorder.send(title, bytes);
      await recorder.send('the state of the address afterwards', request('GET /v1/nothing'));
    },
  },

  connections: {
    async play(service, recorder) {
      const key = await newKey(service, recorder);
      await service.addOrders(ORDERS);
      const auth = bearer(key);
      const get = (...headers: readonly string[]) => request('GET /v1/pets/1', [auth, ...headers]);
      const cancel = (id: number, ...headers: readonly string[]) =>
        request(`DELETE /v1/store/orders/${id}`, [auth, ...headers]);
      await recorder.send(
        'several requests at once',
        cancel(1),
        get(),
        request('HEAD /v1/store/orders', [auth]),
        cancel(1),
        request('GET /healthz'),
      );
      await recorder.send('none after Connection: close', get(), cancel(1, CLOSE), cancel(3));
      await recorder.send('the order after it is still pending', request(LIST, [auth]), cancel(3));
      await recorder.send('none after a request that closes by its error', get('Expect: tea'), get());
      await recorder.send('junk after a request', get(), 'junk\r\n\r\n');
      await recorder.send(
        'a body is not read as a request',
        request('DELETE /v1/store/orders/2', [auth], { body: cancel(5) }),
        get(),
      );
      await recorder.send(
        'two of HTTP/1.0 with keep-alive',
        ...[1, 2].map(() => request('GET /v1/pets/1', [auth, 'Connection: keep-alive'], { version: '1.0' })),
      );
      await recorder.send(
        'after an error with keep-alive',
        request('GET /v1/nothing'),
        request('POST /v1/store/orders', [auth]),
        get(),
      );
      await recorder.send('keys do not mix on a connection', get(), request(LIST), get());
      await recorder.send(
        'an API response before a page',
        get(),
        request('GET /llms.txt', ['If-None-Match: *']),
      );
    },
  },

  limits: {
    async play(service, recorder) {
      const list = request(LIST);
      for (let count = 1; count < 59; count += 1) await recorder.pass(list);
      await recorder.send('an address: the last but one request', list);
      await recorder.send('an address: OPTIONS is not counted', request('OPTIONS /v1/store/orders'));
      await recorder.send('an address: junk is not counted', 'junk\r\n\r\n');
      await recorder.send('an address: the last request of its quota', list);
      await recorder.send('an address: above its quota', list);
      await recorder.send('an address: HEAD', request('HEAD /v1/store/orders'));
      await recorder.send('an address: a cancel', request('DELETE /v1/store/orders/1'));
      await recorder.send('an address: the deprecated operation', request('GET /v1/pets/1'));
      await recorder.send('an address: an unknown path', request('GET /v1/nothing'));
      await recorder.send('an address: a method that is not allowed', request('PUT /v1/store/orders'));
      await recorder.send('an address: a malformed path', request('GET /v1/%zz'));
      await recorder.send('an address: an unknown key', request(LIST, [bearer(unknownKey(recorder))]));
      await recorder.send('an address: two keys', request(LIST, [bearer('a'), bearer('b')]));
      await recorder.send('an address: OPTIONS', request('OPTIONS /v1/store/orders'));
      await recorder.send('an address: junk', 'junk\r\n\r\n');
      await recorder.send('an address: an expectation', request(LIST, ['Expect: tea']));
      await recorder.send(
        'an address: pages are not limited',
        request('HEAD /readyz'),
        request('GET /nothing'),
      );

      const key = await service.key('enterprise', { perMinute: 3, perDay: 100 });
      recorder.name(key, '{key of 3 per minute}');
      const withKey = request(LIST, [bearer(key)]);
      for (const title of ['first', 'second', 'third'])
        await recorder.send(`a key: the ${title} of 3`, withKey);
      await recorder.send('a key: above its quota', withKey);
      await recorder.send('a key: OPTIONS', request('OPTIONS /v1/store/orders', [bearer(key)]));
      await recorder.send('a key: the deprecated operation', request('GET /v1/pets/1', [bearer(key)]));
      await recorder.send('a key: as many refusals as its quota', withKey);
      await recorder.send('a banned key', withKey);
      await recorder.send('a banned key: HEAD', request('HEAD /v1/store/orders', [bearer(key)]));
      await recorder.send('a banned key: a cancel', request('DELETE /v1/store/orders/1', [bearer(key)]));
      await recorder.send('a banned key: OPTIONS', request('OPTIONS /v1/store/orders', [bearer(key)]));
      await recorder.send('a banned key: junk', `GET /v1 HTTP/1.1\r\n${bearer(key)}\r\nX-A\r\n\r\n`);

      const daily = await service.key('enterprise', { perMinute: 100, perDay: 2 });
      recorder.name(daily, '{key of 2 per day}');
      for (const title of ['first', 'second'])
        await recorder.send(`a quota per day: the ${title}`, request(LIST, [bearer(daily)]));
      await recorder.send('a quota per day: above it', request(LIST, [bearer(daily)]));
      const equal = await service.key('enterprise', { perMinute: 1, perDay: 1 });
      recorder.name(equal, '{key of 1 per minute and day}');
      await recorder.send('equal quotas', request(LIST, [bearer(equal)]));
      await recorder.send('equal quotas: above both', request(LIST, [bearer(equal)]));
      for (const plan of ['free', 'pro', 'business']) {
        const ofPlan = await service.key(plan);
        recorder.name(ofPlan, `{${plan} key}`);
        await recorder.send(`the plan ${plan}`, request(LIST, [bearer(ofPlan)]));
      }
    },
  },

  windows: {
    isEmbeddedOnly: true,
    async play(service, recorder) {
      const key = await service.key('enterprise', { perMinute: 2, perDay: 5 });
      recorder.name(key, '{key of 2 per minute and 5 per day}');
      const list = request(LIST, [bearer(key)]);
      const after = (seconds: number) => service.clock.advance(seconds * 1000);
      await recorder.send('the first request opens both windows', list);
      after(20.5);
      await recorder.send('20.5 s later', list);
      await recorder.send('above the quota, 39.5 s before the end', list);
      after(39.4);
      await recorder.send('0.1 s before the end', list);
      after(0.1);
      await recorder.send('a new window', list);
      await recorder.send('its last request', list);
      after(60);
      await recorder.send('fewer requests are left of the day', list);
      await recorder.send('none are left of the day', list);
      after(86_400 - 121);
      await recorder.send('1 s before the end of the day', list);
      after(1);
      await recorder.send('a new day', list);
      for (let count = 0; count < 3; count += 1) await recorder.pass(list);
      await recorder.send('banned', list);
      after(899.5);
      await recorder.send('0.5 s before the end of the ban', list);
      after(0.5);
      await recorder.send('after the ban', list);
    },
  },

  'cross-origin': {
    env: { CORS_ORIGINS: 'https://shop.example,http://localhost:5173' },
    async play(service, recorder) {
      const key = await newKey(service, recorder);
      await service.addOrders(ORDERS);
      const ORIGIN = 'Origin: https://shop.example';
      const METHOD = 'Access-Control-Request-Method: DELETE';
      const preflight = (title: string, ...headers: readonly string[]) =>
        recorder.send(title, request('OPTIONS /v1/store/orders/1', headers));
      await preflight('a preflight', ORIGIN, METHOD, 'Access-Control-Request-Headers: authorization');
      await preflight('a preflight of the other origin', 'Origin: http://localhost:5173', METHOD);
      await preflight(
        'a preflight of a header that is not allowed',
        ORIGIN,
        METHOD,
        'Access-Control-Request-Headers: x-other',
      );
      await preflight(
        'a preflight of a method that is not allowed',
        ORIGIN,
        'Access-Control-Request-Method: PUT',
      );
      await preflight('a preflight from elsewhere', 'Origin: https://evil.example', METHOD);
      await preflight('a preflight from null', 'Origin: null', METHOD);
      await preflight('a preflight without an origin', METHOD);
      await preflight('OPTIONS that is no preflight', ORIGIN);
      await recorder.send('a preflight of an unknown path', request('OPTIONS /v1/nothing', [ORIGIN, METHOD]));
      await recorder.send('a preflight of a page', request('OPTIONS /openapi.json', [ORIGIN, METHOD]));
      const actual: readonly (readonly [string, string])[] = [
        ['a list', LIST],
        ['HEAD', 'HEAD /v1/store/orders'],
        ['a cancel', 'DELETE /v1/store/orders/1'],
        ['a conflict', 'DELETE /v1/store/orders/2'],
        ['a malformed id', 'DELETE /v1/store/orders/x'],
        ['the deprecated operation', 'GET /v1/pets/1'],
        ['an unknown path', 'GET /v1/nothing'],
        ['a method that is not allowed', 'PUT /v1/store/orders'],
        ['health', 'GET /healthz'],
      ];
      for (const [title, line] of actual)
        await recorder.send(`from the origin: ${title}`, request(line, [bearer(key), ORIGIN]));
      await recorder.send('from the origin: no key', request(LIST, [ORIGIN]));
      await recorder.send('from the origin: junk', `GET /v1 HTTP/1.1\r\n${ORIGIN}\r\nX-A\r\n\r\n`);
      await recorder.send('from elsewhere', request(LIST, [bearer(key), 'Origin: https://evil.example']));
      await recorder.send('without an origin', request(LIST, [bearer(key)]));
      const spent = await service.key('enterprise', { perMinute: 9, perDay: 1 });
      recorder.name(spent, '{spent key}');
      await recorder.pass(request(LIST, [bearer(spent)]));
      await recorder.send('from the origin: above the quota', request(LIST, [bearer(spent), ORIGIN]));
    },
  },

  pages: {
    isEmbeddedOnly: true,
    async play(service, recorder) {
      recorder.name(new URL(service.origin).host, '{address}');
      const html = await recorder.pass(request('GET /docs'));
      const assets = [...html.matchAll(/"\/docs\/assets\/([^/]+)\/([^"]+)"/g)];
      for (const [, version = '', name = ''] of assets) {
        recorder.name(
          await recorder.pass(request(`GET /docs/assets/${version}/${name}`)),
          `{${name} of this repository}`,
        );
        recorder.name(`/assets/${version}/`, '/assets/{version}/');
      }
      const yaml = await recorder.pass(request('GET /openapi.yaml'));
      recorder.name(JSON.stringify(parse(yaml)), '{openapi.yaml as one line of JSON}');
      recorder.keep(yaml, 'openapi.yaml');
      recorder.keep(html, 'docs.html');
      for (const file of ['docs.md', 'llms.txt'])
        recorder.keep(await recorder.pass(request(`GET /${file}`)), file);
      for (const page of ['/docs', '/openapi.json', '/openapi.yaml', '/docs.md', '/llms.txt']) {
        await recorder.send(`GET ${page}`, request(`GET ${page}`));
        await recorder.send(`HEAD ${page}`, request(`HEAD ${page}`));
        await recorder.send(
          `GET ${page}, with gzip`,
          request(`GET ${page}`, ['Accept-Encoding: gzip, deflate, br']),
        );
        await recorder.send(`POST ${page}`, request(`POST ${page}`, [], { body: 'a' }));
      }
      await recorder.send('OPTIONS', request('OPTIONS /docs'));
      await recorder.send('If-None-Match: *', request('GET /docs', ['If-None-Match: *']));
      await recorder.send('If-None-Match of another text', request('HEAD /docs', ['If-None-Match: W/"abc"']));
      await recorder.send('a query', request('HEAD /docs?a=1'));
      await recorder.send('a key', request('HEAD /docs', [bearer('a'), bearer('b')]));
      for (const path of [
        '/',
        '/docs/',
        '/favicon.ico',
        '/docs/nothing',
        '/DOCS',
        '/docs/assets/a/page.js',
        '/robots.txt',
      ])
        for (const method of ['GET', 'HEAD', 'POST'])
          await recorder.send(`${method} ${path}`, request(`${method} ${path}`));
      for (const [, version = '', name = ''] of assets)
        for (const [method, ...headers] of [['GET'], ['HEAD', 'Accept-Encoding: gzip']] as const)
          await recorder.send(
            `${method} ${name}`,
            request(`${method} /docs/assets/${version}/${name}`, headers),
          );
      const compact = (title: string, headers: readonly string[], line = 'HEAD /llms.txt') =>
        recorder.send(title, request(line, headers));
      await compact('gzip that is refused', ['Accept-Encoding: gzip;q=0']);
      await recorder.send(
        'another host',
        'GET /llms.txt HTTP/1.1\r\nHost: API.petstore.example\r\nX-Forwarded-Proto: https\r\n\r\n',
      );
      await recorder.send(
        'a host that is no name',
        'GET /llms.txt HTTP/1.1\r\nHost: a"b\r\nConnection: close\r\n\r\n',
      );
      await recorder.send('no host, as HTTP/1.0 allows', 'GET /llms.txt HTTP/1.0\r\n\r\n');
      await recorder.send('a malformed path', request('GET /docs%'));
      await recorder.send('an expectation that cannot be met', request('GET /docs', ['Expect: tea']));
    },
  },

  operators: {
    async play(service, recorder) {
      for (const path of ['/healthz', '/readyz'])
        for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'])
          await recorder.send(`${method} ${path}`, request(`${method} ${path}`));
      for (const method of ['HEAD', 'OPTIONS', 'POST'])
        await recorder.send(`${method} /metrics`, atLocalhost(`${method} /metrics`));
      await recorder.send('the metrics for another host', request('GET /metrics'));
      await recorder.send('a trailing slash', request('GET /healthz/'));
      await recorder.send('a query', request('GET /healthz?a=1'));
      await recorder.send('under the base path', request('GET /v1/healthz'));
      await recorder.send('HTTP/1.0', request('GET /readyz', [], { version: '1.0' }));
    },
  },

  'metrics-embedded': {
    isEmbeddedOnly: true,
    async play(service, recorder) {
      const key = await service.key('enterprise', { perMinute: 1, perDay: 9 });
      const lines = [LIST, LIST, LIST, 'DELETE /v1/nothing', 'GET /nothing'];
      for (const line of lines) await recorder.pass(request(line, [bearer(key)]));
      await until(() => service.logged.filter(({ msg }) => msg === 'request').length >= lines.length);
      await recorder.send('GET /metrics', atLocalhost('GET /metrics'));
    },
  },

  proxy: {
    env: { TRUST_PROXY: '127.0.0.1', PUBLIC_URL: 'https://api.petstore.example' },
    isEmbeddedOnly: true,
    async play(_service, recorder) {
      const from = (address: string) => request('GET /v1/nothing', [`X-Forwarded-For: ${address}`]);
      for (const address of [
        '203.0.113.1',
        '203.0.113.2',
        '198.51.100.7, 203.0.113.2',
        '2001:db8::1',
        '2001:db8::2',
        'junk',
        '',
      ])
        await recorder.send(`the address ${address}`, from(address));
      await recorder.send(
        'two headers',
        request('GET /v1/nothing', ['X-Forwarded-For: 203.0.113.9', 'X-Forwarded-For: 203.0.113.1']),
      );
      await recorder.send('the public address', request('GET /llms.txt'));
      await recorder.send(
        'the public address, compressed',
        request('GET /llms.txt', ['Accept-Encoding: gzip']),
      );
    },
  },

  overload: {
    env: { MAX_CONNECTIONS: '1' },
    isEmbeddedOnly: true,
    async play(service, recorder) {
      const held = connect(service.origin);
      held.write(request('GET /healthz'));
      await once(held, 'data');
      await recorder.send('a connection above MAX_CONNECTIONS', request(LIST));
      await recorder.send('the same for a page', request('GET /docs'));
      held.destroy();
    },
  },

  'store-down': {
    isEmbeddedOnly: true,
    async play(service, recorder) {
      const key = await newKey(service, recorder);
      await service.addOrders(ORDERS);
      await recorder.pass(request(LIST, [bearer(key)]));
      const restoreOrders = breakTable(service.dataDir, 'orders');
      await recorder.send('a list', request(LIST, [bearer(key)]));
      await recorder.send('a cancel', request('DELETE /v1/store/orders/1', [bearer(key)]));
      await recorder.send('readiness', request('GET /readyz'));
      await recorder.send('health', request('GET /healthz'));
      restoreOrders();
      const restoreKeys = breakTable(service.dataDir, 'api_keys');
      const unchecked = unknownKey(recorder);
      for (const line of [LIST, 'HEAD /v1/store/orders', 'GET /v1/pets/1', 'GET /v1/nothing'])
        await recorder.send(`a key that cannot be checked: ${line}`, request(line, [bearer(unchecked)]));
      await recorder.send('a key that is no key', request(LIST, [bearer('secret')]));
      restoreKeys();
    },
  },

  'time-outs': {
    isEmbeddedOnly: true,
    async play(service, recorder) {
      const key = await newKey(service, recorder);
      const START = 'DELETE /v1/store/orders/1 HTTP/1.1\r\nHost: petstore.example\r\n';
      // They wait for real time-outs, in parallel.
      await recorder.together([
        ['half a request line', 'GET /v1/store'],
        ['half the headers', START + bearer(key)],
        ['half a body', `${START}${bearer(key)}\r\nContent-Length: 5\r\n\r\nab`],
        ['half of the chunks', `${START}${bearer(key)}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab`],
      ]);
    },
  },
};
