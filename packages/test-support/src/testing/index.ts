/* What suites start and wait for. */
export { REFUSED, refusedWith, withAddress, WORKING } from './addresses.ts';
export { stopAtEnd, stopped } from './at-end.ts';
export { commandsOf, type CommandOptions, type CommandResult, type Served } from './command.ts';
export { editFile } from './edit-file.ts';
export { expectCommonHeaders, expectErrorOf, rateLimitIn } from './expect.ts';
export { newFolder } from './folder.ts';
export { importItems, itemsIn } from './items.ts';
export { listen } from './listen.ts';
export { startPgBouncer } from './pgbouncer.ts';
export { startPostgres } from './postgres.ts';
export { originOf, startProcess, type Running } from './process.ts';
export { startRedis, type TestRedis } from './redis.ts';
export { startRelay } from './relay.ts';
export { percentDecoded, requestsWith, spellings } from './secret-places.ts';
export { shared, sharedWithKey } from './shared.ts';
export { until } from './until.ts';
