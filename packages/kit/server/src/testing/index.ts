/* The test support for services: `@contract-kit/server/testing`. */
export { describeService } from './describe-service.ts';
export { importItems, itemsIn } from './items.ts';
export * from './raw.ts';
export {
  createClock,
  startTestService,
  toolsOf,
  type TestClock,
  type TestServiceOptions,
} from './service.ts';

/* Internals that tests compare with. */
export { readConfig } from '../config.ts';
export { openSqlite } from '../database/sqlite/driver.ts';
export { MAX_CONNECTIONS } from '../database/postgres/database.ts';
export type { Document } from '../docs/openapi.ts';
export { seedDemoData } from '../store/demo.ts';
