import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withBench } from '../src/bench.ts';
import { checkConformance } from '../src/conformance.ts';
import { bearer, copyData, createData, LIST } from '../src/data.ts';
import { exchange } from '../src/exchange.ts';
import { OURS, peers, RAW, startContestants, startPeer } from '../src/server.ts';

const bench = {
  rounds: 1,
  seconds: 1,
  step() {},
  signal: new AbortController().signal,
};

test('the service, every peer and node:http alone do the same job', async () => {
  await withBench(bench, async (part) => {
    const data = await createData(part, 12);
    // Each is checked as it starts, and none that departs is timed.
    const servers = await startContestants(part, data, { variants: true, accessLog: true });
    const named = new Map(servers.map((server) => [server.name, server.origin]));
    for (const peer of peers) assert.ok(named.has(peer));

    const [raw, ours] = await Promise.all(
      [RAW, OURS].map((name) =>
        exchange(named.get(name) ?? '', { method: 'GET', target: LIST, headers: bearer(data.key) }),
      ),
    );
    assert.deepEqual(raw?.body, ours?.body);
    const sizeOf = (rawHeaders: readonly string[] = []) => rawHeaders.join(': ').length;
    assert.equal(sizeOf(raw?.rawHeaders), sizeOf(ours?.rawHeaders));
  });
});

test('a server that does another job is not timed', async () => {
  await withBench(bench, async (part) => {
    const data = await createData(part, 12);
    const { origin } = await startPeer(part, 'fastify', copyData(data, 'fastify'));
    await assert.rejects(checkConformance('fastify', origin, { ...data, count: 13 }), {
      message: 'fastify does not conform: GET /v1/store/orders, 200 expected: unexpected headers or body',
    });
  });
});
