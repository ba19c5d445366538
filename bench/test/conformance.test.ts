import { withBench } from '../src/bench.ts';
import { checkConformance } from '../src/conformance.ts';
import { copyData, createData } from '../src/data.ts';
import { exchange } from '../src/exchange.ts';
import { OURS, startContestants } from '../src/parts/servers.ts';
import { peers, startPeer } from '../src/server.ts';

const bench = {
  rounds: 1,
  seconds: 1,
  progress: { step() {}, clear() {} },
  signal: new AbortController().signal,
};

test('the service, every peer and node:http alone do the same job', async () => {
  const names = await withBench(bench, async (part) => {
    // Each is checked as it starts, and none that departs is timed.
    const servers = await startContestants(part, await createData(part, 12), { notRemembered: true });
    return servers.map(({ name }) => name);
  });
  expect(names).toEqual(expect.arrayContaining([OURS, ...peers, 'node:http']));
});

test('node:http alone sends the very bytes that the service sends', async () => {
  await withBench(bench, async (part) => {
    const data = await createData(part, 12);
    const servers = await startContestants(part, data);
    const [raw, ours] = await Promise.all(
      servers.slice(0, 2).map(({ origin }) =>
        exchange(origin, {
          method: 'GET',
          target: '/v1/store/orders',
          headers: { Authorization: `Bearer ${data.key}` },
        }),
      ),
    );
    expect(raw?.body.equals(ours?.body ?? Buffer.alloc(0))).toBe(true);
    const sizeOf = (rawHeaders: readonly string[] = []) => rawHeaders.join(': ').length;
    expect(sizeOf(raw?.rawHeaders)).toBe(sizeOf(ours?.rawHeaders));
  });
});

test('a server that does another job is not timed', async () => {
  await withBench(bench, async (part) => {
    const data = await createData(part, 12);
    const { origin } = await startPeer(part, 'fastify', copyData(data, 'fastify'));
    await expect(checkConformance('fastify', origin, { ...data, count: 13 })).rejects.toThrow(
      'fastify does not conform: GET /v1/store/orders, 200 expected: unexpected headers or body',
    );
  });
});
