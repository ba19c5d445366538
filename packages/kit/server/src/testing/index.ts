/* The test support for services: `@kit/server/testing`. */
export { stopAtEnd } from './at-end.ts';
export { commandsOf, type CommandOptions, type CommandResult, type Served } from './command.ts';
export { describeService } from './describe-service.ts';
export { expectCommonHeaders, rateLimitIn } from './expect.ts';
export { newFolder } from './folder.ts';
export { importItems, itemsIn } from './items.ts';
export { listen } from './listen.ts';
export { startPostgres } from './postgres.ts';
export { originOf, startProcess, type Running } from './process.ts';
export * from './raw.ts';
export { startRedis, type TestRedis } from './redis.ts';
export { startRelay } from './relay.ts';
export { scaled } from './scale.ts';
export { percentDecoded, requestsWith, spellings } from './secret-places.ts';
export { createClock, toolsOf, type TestClock, type TestServiceOptions } from './service.ts';
export { shared, sharedWithKey } from './shared.ts';
export { until } from './until.ts';

/* Internals that tests compare with. */
export { readConfig } from '../../src/config.ts';
export { openSqlite } from '../../src/database/sqlite/driver.ts';
export { MAX_CONNECTIONS } from '../../src/database/postgres/database.ts';
export type { Document } from '../../src/docs/openapi.ts';
export { seedDemoData } from '../../src/store/demo.ts';
