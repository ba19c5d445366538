import { createRequire } from 'node:module';
import type * as nodeTest from 'node:test';

/** Runs a part of a test under its own name, if the program can. */
type Step = (name: string, run: () => Promise<void>) => Promise<void>;

/** What the tests of any service need of the program that runs them. */
export interface TestRunner {
  readonly test: (name: string, run: (step: Step) => Promise<void>) => unknown;
  readonly before: (run: () => Promise<void>) => unknown;
  readonly after: (run: () => Promise<void>) => unknown;
}

/** The runner of this process: Jest, or one with the same globals; otherwise that of Node.js. */
export function testRunner(): TestRunner {
  const { test, beforeAll, afterAll } = globalThis as {
    readonly test?: (name: string, run: () => Promise<void>) => unknown;
    readonly beforeAll?: TestRunner['before'];
    readonly afterAll?: TestRunner['after'];
  };
  if (test && beforeAll && afterAll) {
    const runStep: Step = (_name, run) => run();
    return { test: (name, run) => test(name, () => run(runStep)), before: beforeAll, after: afterAll };
  }
  const node = createRequire(import.meta.url)('node:test') as typeof nodeTest;
  return {
    test: (name, run) => node.test(name, (context) => run((step, runStep) => context.test(step, runStep))),
    before: (run) => node.before(run),
    after: (run) => node.after(run),
  };
}
