import type { Store as AnyStore } from '@kit/server/internals';
import { toolsOf } from '@kit/server/testing';
import { petstore } from '../../src/petstore.ts';

type PetstoreFeatures = (typeof petstore)['features'];
export type Store = AnyStore<PetstoreFeatures>;

/* The kit's functions for the petstore. */
export const tools = toolsOf(petstore);
export const { generateApiKey, filesIn, createKey, newKey } = tools;
export const { openSqliteStore, openPostgresStore, withStore, breakTable, expectError } = tools;
export { petstore };
