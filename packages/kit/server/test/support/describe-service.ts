import type { ServiceDefinition } from '../../src/feature.ts';
import { notYet } from '../../src/pipeline/dispatch.ts';
import { createFuzzer, type Target } from '../fuzz/fuzzer.ts';
import { toolsOf, type TestServiceOptions } from './service.ts';

/**
 * Tests any service: sends valid and invalid requests to each operation. One that is not implemented
 * yet responds with examples. FUZZ_RUNS is the number of requests to each operation, and FUZZ_SEED varies them.
 */
export function describeService({ contract, ...definition }: ServiceDefinition): void {
  const { startTestService } = toolsOf({ contract, ...definition });
  const fuzzer = createFuzzer(contract);
  const seed = Number(process.env['FUZZ_SEED'] ?? 20261121);
  const numRuns = Number(process.env['FUZZ_RUNS'] ?? 50);

  const serve = async (options: TestServiceOptions): Promise<Target> =>
    fuzzer.targetOf(await startTestService({ validatesResponses: false, ...options }));
  const unfinishedHandlers = Object.fromEntries(Object.keys(contract.operations).map((id) => [id, notYet]));
  let answering: Target;
  let unfinished: Target;

  beforeAll(async () => {
    answering = await serve({ demo: true });
    unfinished = await serve({ handlers: unfinishedHandlers });
  });

  test.each(fuzzer.operations)('$id satisfies the contract for any request', async (operation) => {
    await fuzzer.fuzz(operation, answering, { seed, numRuns });
  });

  test.each(fuzzer.operations)(
    '$id responds with 501 in production until it is implemented',
    async (operation) => {
      // Fewer runs: the previous test covers early refusals.
      const seen = await fuzzer.fuzz(operation, unfinished, { seed, numRuns: Math.ceil(numRuns / 2) });
      expect([...seen.keys()].filter((status) => status < 400)).toEqual([]);
      expect(seen.get(501)).toBeGreaterThan(0);
    },
  );
}
