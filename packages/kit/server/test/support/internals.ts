/* What tests of a service look at inside: `@kit/server/internals`. */
export { readConfig } from '../../src/config.ts';
export type { ImportConflict } from '../../src/database/import-port.ts';
export { openPostgresDatabase } from '../../src/database/postgres/database.ts';
export { openDatabase } from '../../src/database/sqlite/database.ts';
export { ApiError } from '../../src/http/api-error.ts';
export { digestOf } from '../../src/keys/api-key.ts';
export type { KeyStore } from '../../src/keys/key-store.ts';
export { openCountersFile } from '../../src/limits/counters-file.ts';
export { assets } from '../../src/docs/docs-assets.ts';
export { renderPage } from '../../src/docs/html.ts';
export type { Document } from '../../src/docs/openapi.ts';
export { servedDocument } from '../../src/docs/served-document.ts';
export { seedDemoData } from '../../src/store/demo.ts';
export type { Store } from '../../src/store/store.ts';
export { migrateData } from '../../src/store/transfer/migrate-data.ts';
export { responseValidatorsOf, type ResponseValidator } from '../../src/validation/response-validator.ts';
