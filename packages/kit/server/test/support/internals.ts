/* Internals for tests of services: `@kit/server/internals`. */
export { readConfig } from '../../src/config.ts';
export { MAX_CONNECTIONS } from '../../src/database/postgres/database.ts';
export type { Document } from '../../src/docs/openapi.ts';
export { seedDemoData } from '../../src/store/demo.ts';
export type { Store } from '../../src/store/store.ts';
