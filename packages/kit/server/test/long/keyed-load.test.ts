import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '@contract-kit/test-support';
import { newFolder, startPostgres, startRelay } from '@contract-kit/test-support/testing';
import { atomic } from '../../src/index.ts';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { newKey, startTestService, type TestService } from '../library/service.ts';

/* Hundreds of keyed requests to two instances, whose database goes away again and again. */

const REQUESTS = 300;
/** How long an outage lasts, and between two of them; in milliseconds. */
const OUTAGE = 2_000;

/** What a client got at last, and whether it may send the request again. */
type Outcome = 'created' | 'missing' | 'again';

function outcomeOf(status: number, code: string | undefined): Outcome {
  if (status === 201) return 'created';
  if (code === 'idempotency_response_missing') return 'missing';
  // 408: its body came too late on a machine with much else to do, so nothing was executed.
  if (status === 503 || status === 408 || code === 'idempotency_key_in_use') return 'again';
  throw new Error(`${status} ${code}`);
}

describeWith(['PostgreSQL'], 'while PostgreSQL goes away for 2 s, again and again', () => {
  /** Sends every request to the instances in turn until it is done. Resolves to what each key got, and to its rows. */
  async function load(isAtomic: boolean) {
    const primary = await startPostgres();
    const name = await startRelay(primary.port);
    const url = new URL(await primary.createDatabase());
    url.port = String(name.port);
    const standby = await startPostgres({ standbyOf: primary.port });
    // What is acknowledged must be on the standby, too.
    await primary.run(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await primary.run('SELECT pg_reload_conf()');
    const startInstance = async () => {
      const handler: AnyHandler = ({ body }) => {
        const { price } = body as { price: number };
        return service.store.transaction(async (_stores, query) => {
          const sql = 'INSERT INTO loans (book_id) VALUES ($1) RETURNING id';
          const [row] = await query<{ id: number }>(sql, [price]);
          await sleep(200);
          const id = row?.id ?? 0;
          return {
            status: 201,
            headers: { Location: `/v1/books/${id}` },
            body: { ...(body as object), id, asked: 1 },
          };
        });
      };
      const createBook = isAtomic ? atomic(handler) : handler;
      const env = { DATABASE_URL: url.href };
      const service: TestService = await startTestService({
        handlers: { createBook },
        dataDir: newFolder(),
        env,
      });
      return service;
    };
    const instances = [await startInstance(), await startInstance()] as const;
    const apiKey = await newKey(instances[0].store);

    const readOnly = async (value: string) => {
      await primary.run(
        `ALTER DATABASE ${url.pathname.slice(1)} SET default_transaction_read_only = ${value}`,
      );
      name.cut();
    };
    const moveName = async () => {
      await standby.run('SELECT pg_promote()');
      name.moveTo(standby.port);
    };
    const outages: readonly (readonly [begin: () => unknown, end: () => unknown])[] = [
      [name.goAway, name.comeBack],
      [name.hang, name.resume],
      [name.mute, name.unmute],
      // As a standby does.
      [() => readOnly('on'), () => readOnly('off')],
      [() => primary.stop(), moveName],
    ];

    const got = new Map<number, { location: string | null; outcome: Outcome }>();
    async function sendUntilDone(number: number): Promise<void> {
      const headers = {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      };
      const body = JSON.stringify({ name: 'Emma', kind: 'novel', author: null, price: number });
      for (let attempt = number; ; attempt += 1) {
        const origin = instances[attempt % 2]?.origin ?? '';
        // A connection that was idle may end as a request is sent on it, and more so on a busy machine (RFC 9112 §9.5).
        const response = await fetch(`${origin}/v1/books`, { method: 'POST', headers, body }).catch(
          () => undefined,
        );
        if (response) {
          const { code } = (await response.json()) as { code?: string };
          const outcome = outcomeOf(response.status, code);
          if (outcome !== 'again') {
            got.set(number, { location: response.headers.get('location'), outcome });
            return;
          }
        }
        await sleep(200);
      }
    }

    const sending = Array.from({ length: REQUESTS }, async (_, index) => {
      await sleep(index * ((outages.length * 2 * OUTAGE) / REQUESTS));
      await sendUntilDone(index + 1);
    });
    for (const [begin, end] of outages) {
      await sleep(OUTAGE);
      await begin();
      await sleep(OUTAGE);
      await end();
    }
    await Promise.all(sending);
    const rows = await standby.run<{ id: string; book_id: string }>(
      'SELECT id, book_id FROM loans',
      url.href,
    );
    return { got, rows: rows.map(({ id, book_id }) => [Number(book_id), `/v1/books/${id}`] as const) };
  }

  test.each([
    ['every request with an atomic handler runs once, and its client gets the response', true],
    ['no request with another handler runs twice, and no acknowledged one is lost', false],
  ])('%s', async (_, isAtomic) => {
    const { got, rows } = await load(isAtomic);
    const created = [...got].filter(([, { outcome }]) => outcome === 'created');
    expect(new Set(rows.map(([number]) => number)).size).toBe(rows.length);
    const acknowledged = created.map(([number, { location }]) => [number, location]);
    expect(rows).toEqual(expect.arrayContaining(acknowledged));
    if (isAtomic) expect([acknowledged.length, rows.length]).toEqual([REQUESTS, REQUESTS]);
  });
});
