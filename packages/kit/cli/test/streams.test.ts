import { parseContract } from '@contract-kit/core/openapi';
import { sourcesOf } from '../src/check/check-file.ts';
import { checkedOf } from '../src/check/checked.ts';
import { compile } from '../src/check/compile.ts';

/* The types of streams, in generated code. */

const CONTRACT = `
openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /sales/events:
    get:
      operationId: watchSales
      parameters:
        - { name: Last-Event-ID, in: header, schema: { type: string } }
      responses:
        '200':
          description: What happens to sales.
          content:
            text/event-stream:
              itemSchema:
                type: object
                required: [event, data, id]
                properties: { id: { type: string } }
                oneOf:
                  - properties:
                      event: { const: made }
                      data: { type: string, contentMediaType: application/json, contentSchema: { $ref: '#/components/schemas/Sale' } }
                  - properties: { event: { const: note }, data: { type: string } }
  /sales/lines:
    get:
      operationId: listSales
      responses:
        '200':
          description: All sales.
          content: { application/jsonl: { itemSchema: { $ref: '#/components/schemas/Sale' } } }
  /answers:
    post:
      operationId: ask
      requestBody: { required: true, content: { text/plain: { schema: { type: string } } } }
      responses:
        '200':
          description: All of the answer, or its words as they come.
          content:
            application/json: { schema: { type: object, required: [text], properties: { text: { type: string } } } }
            text/event-stream: { schema: { type: object, required: [word], properties: { word: { type: string } } } }
components:
  schemas:
    Sale: { type: object, required: [id], properties: { id: { type: integer }, size: { enum: [small, large] } } }
`;

const USE = `
import { createShop, type Sale, type ShopMethods } from './index.ts';
import { createFakeShop } from './testing.ts';
const shop = createShop();
const signal = AbortSignal.timeout(1000);

for await (const item of await shop.watchSales({ 'Last-Event-ID': '7' }, { signal })) {
  const id: string = item.id;
  const retry: number | undefined = item.retry;
  switch (item.event) {
    case 'made': {
      const sale: Sale = item.data;
      // @ts-expect-error it has other properties
      item.data.name;
      break;
    }
    case 'note':
      item.data.trim();
      // @ts-expect-error it is a text
      item.data.id;
      break;
    // @ts-expect-error there is no such event
    case 'gone':
  }
}
for await (const { id, size } of await shop.listSales()) {
  const known: number = id;
  // @ts-expect-error it may be missing
  const text: string = size;
}
const reply = await shop.listSales().reply();
if (reply.status === 200) for await (const sale of reply.body) sale.id.toFixed();
const answer = await shop.ask({ body: 'Why?' });
if ('text' in answer) answer.text.trim();
else for await (const { data } of answer) data.word.trim();

// @ts-expect-error it must be awaited
for await (const item of shop.watchSales()) console.log(item);
// @ts-expect-error it is no list
(await shop.listSales()).length;
// @ts-expect-error the id is text
await shop.watchSales({ 'Last-Event-ID': 7 });
// @ts-expect-error no such header
await shop.listSales({ 'Last-Event-ID': '7' });

async function* sales() {
  yield { id: 1 };
}
createFakeShop({
  answers: {
    watchSales: { body: [{ event: 'note', id: '1', data: 'a' }, new Error('cut')], delay: 10 },
    listSales: ({ query }) => ({ body: sales() }),
    ask: { body: [{ data: { word: 'a' } }] },
  },
});
createFakeShop({
  answers: {
    // @ts-expect-error the data of a note is text
    watchSales: { body: [{ event: 'note', id: '1', data: 1 }] },
    // @ts-expect-error a sale has an id
    listSales: { body: [{ size: 'small' }] },
  },
});
const double: ShopMethods<'listSales'> = { listSales: async () => sales() };
// @ts-expect-error it yields sales
const wrong: ShopMethods<'listSales'> = { listSales: async () => [1] };
export { double, wrong };
`;

const SERVE = `
import type { Handlers } from '@contract-kit/server';
import type { Operations } from './operations.ts';

export const right: Handlers<Operations> = {
  watchSales: ({ headers }, { signal }) => ({ status: 200, body: events(headers['Last-Event-ID'] ?? '', signal) }),
  listSales: () => ({ status: 200, body: new ReadableStream<{ id: number }>() }),
  ask: ({ body }) =>
    body === '' ? { status: 200, body: { text: 'What?' } } : { status: 200, body: words() },
};
async function* events(last: string, signal: AbortSignal): Operations['watchSales']['responses'][200]['body'] {
  yield { event: 'made', id: last, data: { id: 1 } };
  yield { event: 'note', id: '2', retry: 100, data: 'a' };
  // @ts-expect-error there is no such event
  yield { event: 'gone', id: '3', data: 'a' };
  // @ts-expect-error it needs an id
  yield { event: 'note', data: 'a' };
}
async function* words() {
  yield { data: { word: 'a' } };
}
export const wrong: Handlers<Operations> = {
  ...right,
  // @ts-expect-error it is a stream
  listSales: () => ({ status: 200, body: [{ id: 1 }] }),
  // @ts-expect-error its words have data
  ask: () => ({ status: 200, body: new ReadableStream<{ word: string }>() }),
};
`;

const NAMES = { name: 'shop', keyPrefix: 'shop_', databaseFile: 'store.db' };

test('of a client and its fake: right use compiles, and wrong use does not', async () => {
  const sources = await sourcesOf(checkedOf(parseContract(CONTRACT), NAMES));
  expect(await compile({ ...sources, 'use.ts': USE })).toBeUndefined();
});

test('of handlers: right use compiles, and wrong use does not', async () => {
  const sources = await sourcesOf(checkedOf(parseContract(CONTRACT), NAMES));
  expect(await compile({ ...sources, 'serve.ts': SERVE })).toBeUndefined();
});

test('only a contract with streams has the code to read them in its client', async () => {
  const withStreams = await sourcesOf(checkedOf(parseContract(CONTRACT), NAMES));
  expect(withStreams['index.ts']).toContain('createClient(contract, options, { writeBody, readStream })');
  const without = CONTRACT.replaceAll('itemSchema', 'schema').replaceAll('text/event-stream', 'text/csv');
  const { 'index.ts': client } = await sourcesOf(checkedOf(parseContract(without), NAMES));
  expect(client).toContain('createClient(contract, options, { writeBody })');
  expect(client).not.toContain('readStream');
});
