import { hasStream } from '@contract-kit/core/model';
import { notYet } from '@contract-kit/server';
import {
  createTestTools,
  type AnyFeature,
  type AnyHandler,
  type ServiceDefinition,
  type TestServiceOptions,
} from '@contract-kit/server/internals';
import { createFuzzer, type Returned, type Target } from './fuzz/index.ts';
import { testRunner } from './test-runner.ts';

/**
 * Tests any service: sends valid and invalid requests to each operation. One that is not implemented yet responds with
 * examples. `settings` are values of the service's settings. `middleware` replaces that of the service, which may reject
 * these requests. FUZZ_RUNS is the number of requests to each operation, and FUZZ_SEED varies them.
 */
export function describeService(
  { contract, features, ...definition }: ServiceDefinition,
  replaced: Pick<TestServiceOptions, 'settings' | 'middleware'> = {},
): void {
  const returned: Returned = {};
  const unfinishedIds = new Set<string>();
  const watched = Object.entries(features).map(
    ([name, feature]) => [name, noting(feature, returned, unfinishedIds)] as const,
  );
  const { startTestService } = createTestTools({
    contract,
    features: Object.fromEntries(watched),
    ...definition,
  });
  const fuzzer = createFuzzer(contract);
  const seed = Number(process.env['FUZZ_SEED'] ?? 20261121);
  const numRuns = Number(process.env['FUZZ_RUNS'] ?? 50);

  const stops: (() => Promise<void>)[] = [];
  async function serve(options: TestServiceOptions): Promise<Target> {
    const service = await startTestService({ validatesResponses: false, ...replaced, ...options });
    stops.push(() => service.stop());
    return fuzzer.targetOf(service, returned);
  }
  const unfinishedHandlers = Object.fromEntries(fuzzer.operations.map(({ id }) => [id, notYet]));
  let answering: Target;
  let unfinished: Target;

  const { test, before, after } = testRunner();

  before(async () => {
    answering = await serve({ demo: true });
    unfinished = await serve({ handlers: unfinishedHandlers });
  });

  after(async () => void (await Promise.all(stops.map((stop) => stop()))));

  for (const operation of fuzzer.operations) {
    test(`${operation.id} satisfies the contract for any request`, async (step) => {
      // Fewer runs: the head of a stream waits for its first item.
      const runs = hasStream(operation) ? Math.ceil(numRuns / 4) : numRuns;
      await fuzzer.fuzz(operation, answering, { seed, numRuns: runs });
      // Only a started service knows its handlers.
      if (unfinishedIds.has(operation.id))
        await step(`${operation.id} responds with 501 in production until it is implemented`, () =>
          // Fewer runs: the test around it covers early rejections.
          fuzzer.fuzzUnfinished(operation, unfinished, { seed, numRuns: Math.ceil(numRuns / 2) }),
        );
    });
  }
}

/**
 * The feature, whose handlers note the status that they return. One that is not implemented yet stays, and its operation is
 * added to `unfinishedIds`.
 */
function noting(feature: AnyFeature, returned: Returned, unfinishedIds: Set<string>): AnyFeature {
  return {
    ...feature,
    handlers(services) {
      const handlers = feature.handlers(services) as Readonly<Record<string, AnyHandler>>;
      for (const [id, handle] of Object.entries(handlers)) if (handle === notYet) unfinishedIds.add(id);
      const noted = Object.entries(handlers).map(([id, handle]): [string, AnyHandler] => [
        id,
        handle === notYet
          ? notYet
          : async (...input) => {
              const response = await handle(...input);
              returned.status = response.status;
              return response;
            },
      ]);
      return Object.fromEntries(noted);
    },
  };
}
