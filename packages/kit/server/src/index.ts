/* What a service is made with. */
export { addImportCommand } from './command/import-command.ts';
export { id } from './command/arguments.ts';
export { addPrintingCommand, print, type Output } from './command/output.ts';
export { runCommand } from './command/run.ts';
export { columnNames, itemOf, jsonSql, type Columns, type Row, type Table } from './database/columns.ts';
export { batchPerTick, oncePerTurn } from './database/batch-per-tick.ts';
export type { Import } from './database/import-port.ts';
export type { PostgresDatabase } from './database/postgres/database.ts';
export type { Database } from './database/sql.ts';
export { ConstraintError } from './database/constraint-error.ts';
export { StoreUnavailable } from './database/store-unavailable.ts';
export { defineService, type Feature, type Services, type WithStore } from './feature.ts';
export { errorResponse } from './http/api-error.ts';
export { RawJson } from './http/raw-json.ts';
export type { Handler, Handlers, HandlersUnder } from './pipeline/handler.ts';
export { OperatorError } from './operator-error.ts';
export { memoizeByRevision } from './store/memoize-by-revision.ts';
export { InvalidRecord, recordCheck } from './validation/record-schema.ts';
