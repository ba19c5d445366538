import { createRequire } from 'node:module';

/** What the tests of any service need of the program that runs them. */
export interface TestRunner {
  readonly test: (name: string, run: () => Promise<void>) => unknown;
  readonly before: (run: () => Promise<void>) => unknown;
  readonly after: (run: () => Promise<void>) => unknown;
}

/** The runner of this process: Jest, or one with the same globals; otherwise that of Node.js. */
export function testRunner(): TestRunner {
  const { test, beforeAll, afterAll } = globalThis as {
    readonly test?: TestRunner['test'];
    readonly beforeAll?: TestRunner['before'];
    readonly afterAll?: TestRunner['after'];
  };
  if (test && beforeAll && afterAll) return { test, before: beforeAll, after: afterAll };
  return createRequire(import.meta.url)('node:test') as TestRunner;
}
