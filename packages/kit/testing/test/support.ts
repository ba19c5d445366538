import { Readable } from 'node:stream';
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

const all: Feature<object, Record<string, AnyHandler>> = {
  open: () => ({}),
  // Tests that call one of these set its handler.
  handlers: () =>
    Object.fromEntries(
      idsIn(contract).map((id) => [id, () => errorResponse(500, 'internal_error', `${id} has no handler.`)]),
    ),
};

/** A service of the kitchen-sink contract. */
export const library = defineService(contract, { all }, { version: '1.0.0', description: 'A library.' });

/** Items that are there. */
export const listOf = (...items: unknown[]): AsyncIterable<unknown> => Readable.from(items);
