import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../../src/keys/create-key.ts';
import { openPostgresStore } from '../../src/store/open-postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { servePetstore, type ServedPetstore } from '../support/command.ts';
import { rateLimitIn } from '../support/expect.ts';
import { newFolder } from '../support/folder.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { describeWith } from '@petstore/local-stack';

const INSTANCES = 4;
const FROZEN = 10_000;
/** Requests are sent whether or not those before are answered: one to each instance at a time. */
const INTERVAL = 20;
const QUOTA = 100;

describeWith(['PostgreSQL', 'Redis'], 'four processes under load while Redis is frozen', () => {
  let postgres: TestPostgres;
  let redis: TestRedis;
  let store: Store;
  let servers: ServedPetstore[];

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    const url = await postgres.createDatabase();
    store = await openPostgresStore({ url, onError: () => {} });
    const env = { DATABASE_URL: url, REDIS_URL: redis.url, INSTANCES: String(INSTANCES) };
    servers = await Promise.all(
      Array.from({ length: INSTANCES }, () => servePetstore({ dataDir: newFolder(), env })),
    );
  }, 60_000);

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill('SIGKILL')));
    await store.close();
    await Promise.all([postgres.stop(), redis.stop()]);
  });

  const newKey = async (perMinute: number) =>
    (
      await createKey(store.keys, {
        name: 'test',
        plan: 'enterprise',
        quota: { perMinute, perDay: 1_000_000 },
        now: new Date(),
      })
    ).key;

  interface Answer {
    readonly status: number;
    readonly headers: Headers;
    readonly took: number;
  }

  async function list({ origin }: ServedPetstore, key: string): Promise<Answer> {
    const sentAt = performance.now();
    const response = await fetch(`${origin}/v1/store/orders`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await response.text();
    return { status: response.status, headers: response.headers, took: performance.now() - sentAt };
  }

  /** Lists from every instance at a fixed rate for so many milliseconds, or longer: until one is refused. */
  async function load(key: string, duration: number, { untilRefused = false } = {}): Promise<Answer[]> {
    const answers: Promise<Answer>[] = [];
    let isRefused = !untilRefused;
    const listed = async (server: ServedPetstore) => {
      const answer = await list(server, key);
      isRefused ||= answer.status === 429;
      return answer;
    };
    for (const end = performance.now() + duration; performance.now() < end || !isRefused;) {
      answers.push(...servers.map(listed));
      await sleep(INTERVAL);
    }
    return Promise.all(answers);
  }

  /** What 99 of 100 answers took at most, in milliseconds. */
  function p99Of(answers: readonly Answer[]): number {
    const times = answers.map(({ took }) => took).sort((a, b) => a - b);
    return Math.round(times[Math.floor(times.length * 0.99)] ?? Infinity);
  }

  const changes = ({ output }: ServedPetstore) =>
    [...output.stdout.matchAll(/"msg":"Redis (does not answer|answers again)/g)].map(([, change]) => change);

  test('all is answered at once and with its headers, at most one quota more is granted, and it heals', async () => {
    const [busy, limited] = [await newKey(1_000_000), await newKey(QUOTA)];
    await load(busy, 1_000);
    const [usual] = await Promise.all([load(busy, FROZEN / 2), load(limited, 200)]);

    redis.freeze();
    const [answers, ofLimited] = await Promise.all([
      load(busy, FROZEN),
      load(limited, FROZEN, { untilRefused: true }),
    ]);
    redis.thaw();

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(ofLimited.map(({ status }) => status))).toEqual(new Set([200, 429]));
    for (const { headers } of [...answers, ...ofLimited]) {
      expect(Object.values(rateLimitIn(headers))).not.toContain(undefined);
    }
    expect(ofLimited.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(QUOTA);

    const frozen = [...answers, ...ofLimited];
    process.stderr.write(
      `p99 ${p99Of(usual)} ms while Redis answers, ${p99Of(frozen)} ms while it is frozen, over ${frozen.length} answers\n`,
    );

    await until(() => servers.every((server) => changes(server).at(-1) === 'answers again'));
    // One line per change, and the quota is shared again.
    for (const server of servers) {
      changes(server).forEach((change, index) => {
        expect(change).toBe(index % 2 === 0 ? 'does not answer' : 'answers again');
      });
    }
    await until(async () => {
      const fresh = await newKey(QUOTA);
      const answers = await Promise.all(servers.map((server) => list(server, fresh)));
      const left = answers.map(({ headers }) => rateLimitIn(headers).remaining);
      return left.sort().join() === '96,97,98,99';
    });
  }, 120_000);
});
