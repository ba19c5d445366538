import { scaled } from '@kit/server/testing';
import { fuzzer, startTarget } from './support/fuzzed.ts';

/* A few hundred fixed requests. `npm run fuzz` sends other ones, and more: see docs/conformance.md. */

const { FUZZ_RUNS, FUZZ_SEED = scaled({ usually: 20261121, full: Date.now() % 1e9 }) } = process.env;
const runs = Number(FUZZ_RUNS ?? scaled({ usually: 150, full: 2000 }));
const seed = Number(FUZZ_SEED);

let target: Awaited<ReturnType<typeof startTarget>>;

beforeAll(async () => {
  target = await startTarget();
});

test.each(fuzzer.operations)(
  `$id keeps to the contract, whatever it is asked (${runs} requests, seed ${seed})`,
  async (operation) => {
    const seen = await fuzzer.fuzz(operation, target, { seed, numRuns: runs });
    const statuses = operation.statuses.map((status) => `${status} ×${seen.get(status) ?? 0}`);
    process.stdout.write(`${operation.id}: ${statuses.join(', ')}\n`);
    // Random requests always reach these. Whether they reach 404 or 409 depends on the operation.
    const sure = operation.statuses.filter((status) => status < 300 || [400, 401, 429].includes(status));
    expect(sure.filter((status) => !seen.has(status))).toEqual([]);
  },
  300_000 + runs * 100,
);
