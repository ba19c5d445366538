import { createFuzzer, type Target } from '@contract-kit/testing/fuzzer';
import { petstore } from './support/petstore.ts';
import { startTestService } from './support/service.ts';

/* A few hundred fixed requests. `npm run fuzz` sends other ones, and more: see docs/conformance.md. */

const runs = Number(process.env['FUZZ_RUNS'] ?? 150);
const seed = Number(process.env['FUZZ_SEED'] ?? 20261121);

const fuzzer = createFuzzer(petstore.contract);
let target: Target;

// As in production, except that an operation responds with examples until it is implemented. Small numbers are likely to
// be ids of something.
beforeAll(async () => {
  const service = await startTestService({ validatesResponses: false, demo: true });
  const statuses = ['pending', 'shipped', 'cancelled'] as const;
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  await service.addOrders(
    ids.map((id) => ({
      id,
      ...(id % 2 === 0 && { petId: id, quantity: id % 5, complete: id % 4 === 0 }),
      ...(id % 5 === 0 && { shipDate: '2026-11-24T09:00:00.000Z' }),
      status: statuses[id % statuses.length] ?? 'pending',
    })),
  );
  await service.addPets(ids.map((id) => (id % 2 === 0 ? { id, name: `Pet \u{1f436} ${id}` } : { id })));
  target = await fuzzer.targetOf(service);
});

test.each(fuzzer.operations)(
  `$id keeps to the contract, whatever it is asked (${runs} requests, seed ${seed})`,
  async (operation) => {
    const seen = await fuzzer.fuzz(operation, target, { seed, numRuns: runs });
    const statuses = operation.statuses.map((status) => `${status} ×${seen.get(status) ?? 0}`);
    process.stdout.write(`${operation.id}: ${statuses.join(', ')}\n`);
    // Random requests always reach these. Whether they reach 404, 409 or a range depends on the operation.
    const declared = operation.responses.map(({ status }) => Number(status));
    const sure = declared.filter((status) => status < 300 || [400, 401, 429].includes(status));
    expect(sure.filter((status) => !seen.has(status))).toEqual([]);
  },
  300_000 + runs * 100,
);
