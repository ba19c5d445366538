/*
 * `@contract-kit/server/internals`: what the other packages of the kit and this repository's tests use. It may change with
 * any version.
 */
export { startForCheck } from './checking.ts';
export { notYet, type AnyHandler } from './pipeline/dispatch.ts';
export { meanings, readConfig, settings } from './config.ts';
export { MAX_CONNECTIONS } from './database/postgres/database.ts';
export { openSqlite } from './database/sqlite/driver.ts';
export { deployFiles, renderFolder, templateValues } from './deploy/templates.ts';
export type { ShownSettings, TemplateValues } from './deploy/templates.ts';
export type { Document } from './docs/openapi.ts';
export { seedDemoData } from './store/demo.ts';
export { createFuzzer, type Target } from './testing/fuzz/fuzzer.ts';
export { importItems, itemsIn } from './testing/items.ts';
export { answerTo, askRaw, connectAll, connectRaw, responsesIn, sendRaw } from './testing/raw.ts';
export type { RawRequest } from './testing/raw.ts';
export { createClock, toolsOf } from './testing/service.ts';
export { errorBodiesOf } from './validation/error-bodies.ts';
