import { Readable } from 'node:stream';
import type { Contract } from '@contract-kit/core';
import { contractFrom, contractText, idsIn } from '@contract-kit/test-support/contracts';
import { stopped } from '@contract-kit/test-support/testing';
import { defineService, errorResponse, type Feature } from '@contract-kit/server';
import type { AnyHandler, Features, ServiceDefinition } from '@contract-kit/server/internals';
import * as testing from '../src/index.ts';

/** As `createTestTools`: services stop with the suite. */
export function createTestTools<Of extends Features>(definition: ServiceDefinition<Of>) {
  const tools = testing.createTestTools(definition);
  return { ...tools, startTestService: stopped(tools.startTestService) };
}

export const contract = contractFrom(contractText);

/** A feature whose operations all have one handler. */
export const handling = (
  of: Pick<Contract, 'document'>,
  handler: AnyHandler,
): Feature<object, Record<string, AnyHandler>> => ({
  open: () => ({}),
  handlers: () => Object.fromEntries(idsIn(of).map((id) => [id, handler])),
});

/** A service of the kitchen-sink contract. Tests that call an operation set its handler. */
export const library = defineService(
  contract,
  { all: handling(contract, () => errorResponse(500, 'internal_error', 'This operation has no handler.')) },
  { version: '1.0.0', description: 'A library.' },
);

/** Items that are there. */
export const listOf = (...items: unknown[]): AsyncIterable<unknown> => Readable.from(items);
