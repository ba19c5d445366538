import { until } from '@contract-kit/test-support/testing';
import { connectRaw, sendRaw } from '../src/testing/raw.ts';
import { List } from '../src/http/list.ts';
import { StoreUnavailable } from '../src/index.ts';
import { sharedService, startTestService } from './library/service.ts';

const service = sharedService();

const list = (key?: string) => service.list(key);

async function metrics(): Promise<Map<string, number>> {
  const text = await (await service.request('/metrics')).text();
  const lines = text.matchAll(/^([^#].*) (\S+)$/gm);
  return new Map(Array.from(lines, ([, name = '', value]) => [name, Number(value)]));
}

/** How much `work` increases each figure. */
async function growth(work: () => Promise<unknown>): Promise<(name: string) => number> {
  const before = await metrics();
  await work();
  // A request is counted when its response is sent.
  await until(async () => (await metrics()).get('library_connections{state="busy"}') === 1);
  const after = await metrics();
  return (name) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
}

test('requests are counted by operation and status, and timed', async () => {
  const key = await service.key();
  const grown = await growth(async () => {
    await list(key);
    await list();
    await service.cancel('abc', key);
  });
  expect(grown('library_requests_total{operation="listLoans",status="200"}')).toBe(1);
  expect(grown('library_requests_total{operation="listLoans",status="401"}')).toBe(1);
  expect(grown('library_requests_total{operation="cancelLoan",status="400"}')).toBe(1);
  expect(grown('library_request_duration_seconds_count{operation="listLoans"}')).toBe(2);
});

test('a request that its client gave up counts as 499, and a response that the service cut off as its error', async () => {
  let waiting = 0;
  async function* lost() {
    yield '{}';
    await Promise.resolve();
    throw new StoreUnavailable(new Error('it is gone'));
  }
  const handlers = {
    cancelLoan: () => {
      waiting += 1;
      return new Promise(() => undefined);
    },
    listLoans: () => ({
      status: 200,
      body: new List({ read: () => Promise.resolve(lost()), batches: lost }),
    }),
  };
  const broken = await startTestService({ handlers });
  const key = await broken.unlimitedKey();
  const leaving = new AbortController();
  const { signal } = leaving;
  const cancel = broken.request('/v1/loans/1', { method: 'DELETE', key, signal });
  await until(() => waiting === 1);
  leaving.abort();
  await expect(cancel).rejects.toThrow('abort');
  await expect(broken.list(key).then((response) => response.text())).rejects.toThrow();
  const requests = () => broken.logged.filter(({ msg }) => msg === 'request');
  await until(() => requests().length === 2);
  expect(requests()).toEqual([
    expect.objectContaining({ operationId: 'cancelLoan', status: 499 }),
    expect.objectContaining({ operationId: 'listLoans', status: 503, code: 'service_unavailable' }),
  ]);
  const text = await (await broken.request('/metrics')).text();
  expect(text).toContain('library_requests_total{operation="cancelLoan",status="499"} 1');
  expect(text).toContain('library_requests_total{operation="listLoans",status="503"} 1');
  expect(text).toContain('library_request_duration_seconds_count{operation="cancelLoan"} 1');
});

test('refusals are counted by code and plan, and bans by plan', async () => {
  const key = await service.key('free');
  const grown = await growth(async () => {
    for (let index = 0; index < 60 + 62; index += 1) await list(key);
  });
  expect(grown('library_refusals_total{code="rate_limit_exceeded",plan="free"}')).toBe(59);
  expect(grown('library_refusals_total{code="api_key_banned",plan="free"}')).toBe(3);
  expect(grown('library_bans_total{plan="free"}')).toBe(1);
  // Addresses are refused, and never banned.
  const byAddress = await growth(async () => {
    for (let index = 0; index < 130; index += 1) await list();
  });
  expect(byAddress('library_refusals_total{code="rate_limit_exceeded",plan="none"}')).toBeGreaterThan(60);
  expect(byAddress('library_bans_total{plan="none"}')).toBe(0);
});

test('reports the limiter, the connections and the event loop', async () => {
  const sockets = [0, 1, 2].map(() => connectRaw(service.origin));
  await until(async () => ((await metrics()).get('library_connections{state="idle"}') ?? 0) >= 3);
  const seen = await metrics();
  expect(seen.get('library_limiter_fallback')).toBe(0);
  expect(seen.get('library_connections{state="busy"}')).toBe(1);
  expect(seen.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  for (const socket of sockets) socket.destroy();
});

test('a thousand odd methods, paths, queries, keys and headers add no metrics', async () => {
  const odd = (index: number) =>
    [
      `GET /v1/odd/${index} HTTP/1.1\r\nHost: x\r\n`,
      `${['PROPFIND', 'LOCK', 'PUT', 'TRACE'][index % 4]} /v1/loans HTTP/1.1\r\nHost: x${index}\r\n`,
      `GET /odd-${index} HTTP/1.1\r\nHost: x\r\nX-Odd-${index}: ${index}\r\n`,
      `GET /v1/loans?odd${index}=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer odd${index}\r\n`,
      `ODD${index} / HTTP/1.1\r\nHost: x\r\n`,
    ][index % 5];
  const send = async (from: number, to: number) => {
    for (let index = from; index < to; index += 1)
      await sendRaw(service.origin, `${odd(index)}Connection: close\r\n\r\n`);
  };
  // Each kind once within and once above the quota of the address.
  await send(0, 200);
  // Clients do not determine the kinds of garbage collection.
  const names = async () =>
    [...(await metrics()).keys()].filter((name) => !name.startsWith('nodejs_gc_')).sort();
  const before = await names();
  await send(200, 1_200);
  expect(await names()).toEqual(before);
});
