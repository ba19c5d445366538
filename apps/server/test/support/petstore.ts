import { expectErrorOf, stopped } from '@contract-kit/test-support/testing';
import { toolsOf } from '@contract-kit/server/internals';
import { petstore } from '../../src/petstore.ts';

/* The kit's functions for the petstore. */
export const tools = toolsOf(petstore);
export const startPetstore = stopped(tools.startTestService);
export const { generateApiKey, filesIn, createKey, newKey } = tools;
export const { openSqliteStore, openPostgresStore, withStore, breakTable, holdWriteLock } = tools;
export const expectError = expectErrorOf(petstore.contract);
export { petstore };
export type Store = Awaited<ReturnType<typeof openSqliteStore>>;
