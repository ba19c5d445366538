import { createPetstore } from '@petstore/client';
import { stream } from '@petstore/client/stream';
import { createFakePetstore } from '@petstore/client/testing';
import type { JsonObject } from '@petstore/contract/json-pointer';
import { examples } from '@petstore/contract/published';
import { echo } from './echo.ts';
import { expectEqual } from './expect-equal.ts';

/* What the other entries of the client make of a contract that they do not know. */

type Stream = (petstore: object, operation: string, input?: JsonObject) => AsyncGenerator<unknown, void>;
const streamAny = stream as unknown as Stream;

/** The items of a list as they arrive. */
export async function itemsOf(petstore: object, operation: string, input?: JsonObject): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of streamAny(petstore, operation, input)) items.push(item);
  return items;
}

/** What the handler of `findPets` is given for its second page, once the first one has led there. */
async function secondPage(petstore: object): Promise<unknown> {
  const query = 'limit=1&after=9007199254740993&tag=a%2Cb&tag=c+d&color=black,white&age=&name=%C3%A9';
  const link = `</v1/pets?page=0>; rel="prev", <https://elsewhere.example/v1/pets?${query}#top>; title=", rel=next"; rel="last next"`;
  const pet = { kind: 'dog', name: 'Rex', owner: null };
  echo.answer = { status: 200, headers: { 'X-Total': 2, Link: link }, body: [{ ...pet, id: 1 }] };
  const pets = streamAny(petstore, 'findPets', { limit: 20, sold: true, 'X-Depth': 3 });
  const first = await pets.next();
  echo.answer = { status: 200, headers: { 'X-Total': 2 }, body: [{ ...pet, id: 2 }] };
  const second = await pets.next();
  const { path, query: received, headers } = echo.input ?? {};
  const end = await pets.next();
  return { first: first.value, second: second.value, end, path, query: received, headers };
}

/** What becomes of a stream whose pages link to one that was read, or to a parameter that there is not. */
async function misled(petstore: object, query: string): Promise<string> {
  const headers = { 'X-Total': 2, Link: `</v1/pets?${query}>; rel=next` };
  echo.answer = { status: 200, headers, body: [{ kind: 'dog', name: 'Rex', owner: null, id: 1 }] };
  return itemsOf(petstore, 'findPets').then(
    (items) => `${items.length} items`,
    (error: Error & { code: string }) => error.code,
  );
}

/** What the fake answers to a call, and what it should: the example of the contract. */
async function fromFake(operation: string, input: JsonObject) {
  const { fetch } = createFakePetstore();
  const petstore = createPetstore({ apiKey: 'pst_test', fetch, onDeprecation: () => undefined });
  const method = (
    petstore as unknown as Record<string, (input: JsonObject) => { reply(): Promise<JsonObject> }>
  )[operation];
  const { declared, status, body, headers } = (await method?.(input).reply()) ?? {};
  const example = (examples as Record<string, { status: number; headers?: JsonObject; body?: unknown }>)[
    operation
  ];
  return { declared, status, body, headers, example };
}

/** That a stream goes on to the page that the first one links to, with the parameters of the link and no others. */
export async function expectPages(newPetstore: () => object): Promise<void> {
  const pet = { kind: 'dog', name: 'Rex', owner: null };
  expectEqual('the second page', await secondPage(newPetstore()), {
    first: { ...pet, id: 1 },
    second: { ...pet, id: 2 },
    end: { done: true, value: undefined },
    path: {},
    query: {
      limit: 1,
      after: 9007199254740993n,
      sold: false,
      age: null,
      tag: ['a,b', 'c d'],
      color: ['black', 'white'],
      name: 'é',
    },
    headers: { 'X-Depth': 3 },
  });
  for (const query of ['limit=2', 'page=2', 'name=%zz', ''])
    expectEqual(`a link to ?${query}`, await misled(newPetstore(), query), 'unexpected_reply');
}

/** That the fake of the client answers as the contract shows it. A pet is looked for in its store, which has none. */
export async function expectFaked(id: string, input: JsonObject): Promise<void> {
  const { example, ...reply } = await fromFake(id, input);
  if (id === 'getPet') return expectEqual('the status of the fake', reply.status, 404);
  expectEqual('the fake is declared', reply.declared, true);
  expectEqual('the status of the fake', reply.status, example?.status);
  if (example && 'body' in example) expectEqual('the body of the fake', reply.body, example.body);
  const shown = Object.entries(example?.headers ?? {}).map(([name]) => [
    name,
    (reply.headers as JsonObject)[name],
  ]);
  expectEqual(
    'the headers of the fake',
    Object.fromEntries(shown.map(([name, value]) => [name, String(value)])),
    example?.headers ?? {},
  );
}
