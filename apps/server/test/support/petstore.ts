import { expectErrorOf, stopped } from '@contract-kit/test-support/testing';
import { createTestTools } from '@contract-kit/testing';
import { petstore } from '../../src/petstore.ts';

/* The kit's functions for the petstore. */
export const tools = createTestTools(petstore);
export const startPetstore = stopped(tools.startTestService);
export const { generateApiKey, filesIn, createKey, newKey } = tools;
export const { openSqliteStore, openPostgresStore, withStore, breakTable, holdWriteLock } = tools;
export const expectError = expectErrorOf(petstore.contract);
export { petstore };
export type Store = Awaited<ReturnType<typeof openSqliteStore>>;
