import { randomUUID } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import type { Express } from 'express';
import { describeWith, freePorts } from '@contract-kit/test-support';
import { newFolder, rateLimitIn, until } from '@contract-kit/test-support/testing';
import { StoreUnavailable } from '../../src/database/store-unavailable.ts';
import type { TestServiceOptions } from '../../src/testing/service.ts';
import { contractText } from '@contract-kit/test-support/contracts';
import { contract } from '../library/contract.ts';
import { deployFor, expectRefusal } from '../library/deployed.ts';
import { library } from '../library/library.ts';
import { filesIn, startTestService } from '../library/service.ts';
import { createTestTools } from '../support/tools.ts';

/* Instances behind nginx, some of which have lost their database. Each has a copy of one store. */

const loan = { id: 1, bookId: 1, days: 1, returned: false };

const numbered = Array.from({ length: 100 }, (_, index) => index + 1);

/** The ids of the books that a handler of `createLoan` was called with, by all instances. */
let lent: number[] = [];
beforeEach(() => void (lent = []));

const lend = ({ body }: { body: { bookId: number } }) => {
  lent.push(body.bookId);
  return { status: 201, body: loan };
};

interface DeployOptions extends Pick<TestServiceOptions, 'handlers' | 'env'> {
  readonly extend?: (app: Express) => void;
  /** How many further instances nginx knows, which are down. */
  readonly down?: number;
}

async function deploy(
  count: number,
  { handlers = { createLoan: lend }, env = {}, extend, down = 0 }: DeployOptions = {},
) {
  const dataDir = newFolder();
  const first = await startTestService({ dataDir });
  await first.addLoans([{ id: 1 }]);
  const key = await first.unlimitedKey();
  await first.stop();
  const tools = createTestTools({ ...library, ...(extend && { extend }) });
  const instances = await Promise.all(
    Array.from({ length: count }, () => {
      const copy = newFolder();
      cpSync(dataDir, copy, { recursive: true });
      return tools.startTestService({ dataDir: copy, handlers, env, validatesResponses: false });
    }),
  );
  const ports = instances.map(({ origin }) => Number(new URL(origin).port));
  const { entry } = await deployFor([...ports, ...(await freePorts(down))], contractText, contract);
  const send = (method: string, target: string, body?: unknown, headers = {}) =>
    fetch(entry + target, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return {
    instances,
    entry,
    key,
    send,
    /** Lends a hundred books at once. Resolves to the statuses. */
    lendMany: () =>
      Promise.all(
        numbered.map(async (bookId) => {
          // Some bodies are larger than nginx's buffers.
          const body = JSON.stringify({ bookId }).padEnd(bookId % 2 === 0 ? 1 : 50_000);
          return (await send('POST', '/v1/loans', body)).status;
        }),
      ),
    /** Takes the databases of these instances away. */
    lose: (lost: readonly { readonly dataDir: string }[]) =>
      lost.forEach(({ dataDir }) => rmSync(filesIn(dataDir).store)),
  };
}

const only = (status: number) => numbered.map(() => status);
const ascending = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

describeWith(['nginx'], 'behind nginx, with an instance that has lost its database', () => {
  test.each([
    [2, 0, 1],
    [3, 0, 1],
    [3, 0, 2],
    [2, 1, 1],
  ])('of %d and %d that are down, each POST runs once if %d of them cannot', async (count, down, lost) => {
    const { instances, lendMany, lose, entry } = await deploy(count, { down });
    // Each has just seen its database.
    for (const instance of instances) expect((await instance.readiness())?.[0]).toBe(200);
    lose(instances.slice(0, lost));
    expect(await lendMany()).toEqual(only(201));
    expect(ascending(lent)).toEqual(numbered);
    // Pages still come from all.
    for (let times = 0; times < 10; times += 1) expect((await fetch(`${entry}/docs`)).status).toBe(200);
  });

  test('an instance with ADMIN_PORT is found, too', async () => {
    const [port] = await freePorts(1);
    const { instances, send, lose } = await deploy(1, { env: { ADMIN_PORT: String(port) }, down: 2 });
    expect((await fetch(`${instances[0]?.origin}/readyz`)).status).toBe(404);
    expect((await fetch(`${instances[0]?.origin}/.nginx/ready`)).status).toBe(200);
    expect((await send('POST', '/v1/loans', { bookId: 1 })).status).toBe(201);
    lose(instances);
    await until(async () => (await fetch(`${instances[0]?.origin}/.nginx/ready`)).status === 503);
  });

  test('requests that may be repeated succeed on the other one', async () => {
    const { instances, send, lose } = await deploy(2);
    lose(instances.slice(0, 1));
    expect((await instances[0]?.readiness())?.[0]).toBe(503);
    const cancel = async () => (await send('DELETE', '/v1/loans/1')).status;
    expect(await Promise.all(numbered.map(cancel))).toEqual(only(204));
  });

  test('a POST whose handler fails on the second instance is not sent to a third', async () => {
    const createLoan = (input: Parameters<typeof lend>[0]) => {
      lend(input);
      throw new StoreUnavailable(new Error('lost'));
    };
    const { instances, lendMany, lose } = await deploy(3, { handlers: { createLoan } });
    lose(instances.slice(0, 1));
    expect(await lendMany()).toEqual(only(503));
    expect(lent.length).toBeGreaterThan(0);
    expect(new Set(lent).size).toBe(lent.length);
  });

  test('a request with an Idempotency-Key that could not be claimed succeeds on the other one', async () => {
    let calls = 0;
    const book = { name: 'Emma', kind: 'novel', author: null, price: 100 };
    const createBook = () => {
      calls += 1;
      return { status: 201, headers: { Location: '/v1/books/1' }, body: { ...book, id: 1, asked: 120 } };
    };
    const { instances, send, lose } = await deploy(2, { handlers: { createBook } });
    const create = async () =>
      (await send('POST', '/v1/books', book, { 'idempotency-key': randomUUID() })).status;
    // Now both know the key for a while.
    expect(await Promise.all([create(), create(), create(), create()])).toEqual([201, 201, 201, 201]);
    lose(instances.slice(0, 1));
    expect(await Promise.all(numbered.map(create))).toEqual(only(201));
    expect(calls).toBe(104);
  });

  test('own routes and tools that were called are not called again', async () => {
    const called: string[] = [];
    const extend = (app: Express) =>
      void app.all('/mine', ({ method }) => {
        called.push(method);
        throw new StoreUnavailable(new Error('lost'));
      });
    const { send } = await deploy(2, { extend });
    expect((await send('POST', '/mine')).status).toBe(503);
    expect(called).toEqual(['POST']);
    expect((await send('GET', '/mine')).status).toBe(503);
    // It is repeated, as far as there are ready instances.
    expect(called.slice(1).every((method) => method === 'GET')).toBe(true);
  });

  test('if every instance has lost its database, clients get the Error object of one', async () => {
    const { instances, entry, send, lose } = await deploy(2);
    lose(instances);
    for (let times = 0; times < 15; times += 1)
      for (const response of [
        await send('DELETE', '/v1/loans/1'),
        await send('POST', '/v1/loans', { bookId: 1 }),
      ]) {
        expect(response.headers.get('retry-after')).toBe('1');
        expect(response.headers.has('x-accel-redirect')).toBe(false);
        expect(rateLimitIn(response.headers).limit).toBeGreaterThan(0);
        expect(await response.json()).toMatchObject({ code: 'service_unavailable', status: 503 });
        expect((await fetch(`${entry}/docs`)).status).toBe(200);
      }
    expect(lent).toEqual([]);
  });

  test('if the others are down, the client gets the Error object', async () => {
    const { instances, send, lose } = await deploy(1, { down: 2 });
    lose(instances);
    for (const response of [
      await send('DELETE', '/v1/loans/1'),
      await send('POST', '/v1/loans', { bookId: 1 }),
    ]) {
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ code: 'service_unavailable', status: 503 });
    }
  });

  test('if the instances are gone altogether, too', async () => {
    const { instances, send } = await deploy(2);
    for (const { stop } of instances) await stop();
    await expectRefusal(await send('POST', '/v1/loans', { bookId: 1 }), 'service_unavailable');
  });

  test('clients cannot reach what nginx asks', async () => {
    const { send } = await deploy(1);
    expect((await send('GET', '/.nginx/ready')).status).toBe(404);
  });
});
