import { expectErrorOf, stopped } from '@contract-kit/test-support/testing';
import type { Features, ServiceDefinition } from '../../src/feature.ts';
import * as testing from '../../src/testing/service.ts';

/** The test support of a service, whose services stop with the suite. */
export function createTestTools<Of extends Features>(definition: ServiceDefinition<Of>) {
  const tools = testing.createTestTools(definition);
  return {
    ...tools,
    startTestService: stopped(tools.startTestService),
    expectError: expectErrorOf(definition.contract),
  };
}
