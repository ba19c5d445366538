import { document } from '@petstore/contract/document';
import { dereferenced, objectAt } from '@petstore/contract/described-operation';
import type { JsonObject } from '@petstore/contract/json-pointer';
import { startTarget } from './fuzz/conformance.ts';
import { operationsIn, type Operation } from './fuzz/operations.ts';
import { createOracle } from './fuzz/oracle.ts';
import { KEY } from './fuzz/requests.ts';
import { responsesIn } from './support/raw.ts';

/** What is said of a list with `cacheControl`, where the contract declares `header` for it. */
function saidOf(cacheControl: string, header?: JsonObject): string[] {
  const contract = structuredClone(document);
  const [operation] = operationsIn(contract).filter(({ id }) => id === 'listOrders') as [Operation];
  const response = dereferenced(objectAt(operation.definition, 'responses')['200'], contract);
  if (header) objectAt(response, 'headers')['Cache-Control'] = header;
  const headers = {
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '59',
    'x-ratelimit-reset': '1795251660',
    'x-request-id': 'a',
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json; charset=utf-8',
    'cache-control': cacheControl,
  };
  const request = {
    what: 'a valid request',
    operation,
    isAnsweredByOperation: true,
    statuses: [200],
    allow: undefined,
    method: 'GET',
    target: operation.path,
    headers: [],
  };
  return createOracle(contract)(request, { status: 200, headers, body: '[]' });
}

const declared = { schema: { type: 'string', enum: ['no-store', 'max-age=60'] } };

test('a reply is not to be stored, unless the contract says how it may be', () => {
  expect(saidOf('no-store')).toEqual([]);
  expect(saidOf('max-age=60')).toEqual(['Cache-Control is not no-store']);
  expect(saidOf('max-age=60', declared)).toEqual([]);
  expect(saidOf('max-age=61', declared)).toEqual([
    'header Cache-Control must be equal to one of the allowed values',
  ]);
});

test('what a reply says is read as it was sent, in UTF-8', async () => {
  const body = Buffer.from('{"name":"Zoë 🐶"}');
  const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`;
  const replies = responsesIn((head + body.toString('latin1')).repeat(2));
  expect(await Promise.all(replies.map((reply) => reply.json()))).toEqual([
    { name: 'Zoë 🐶' },
    { name: 'Zoë 🐶' },
  ]);
});

test('a reply that came compressed is held against the contract by what it says', async () => {
  const name = 'é'.repeat(3_000);
  const { ask } = await startTarget({ getPet: () => ({ status: 200, body: { name } }) });
  const headers = { Authorization: `Bearer ${KEY}`, 'Accept-Encoding': 'gzip' };
  const answer = await ask({ method: 'GET', target: '/v1/pets/1', headers: Object.entries(headers) });
  expect(answer).toMatchObject({ status: 200, headers: { 'content-encoding': 'gzip' } });
  expect(JSON.parse(answer.body)).toEqual({ name });
});
