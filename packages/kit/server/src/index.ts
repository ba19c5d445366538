/* The public interface of the kit for services. */
export { addImportCommand } from './command/import-command.ts';
export { id } from './command/arguments.ts';
export { addPrintingCommand, print, type Output } from './command/output.ts';
export { runCommand } from './command/run.ts';
export { columnNames, itemOf, type Columns, type Row, type Table } from './database/columns.ts';
export type { Import } from './database/import-port.ts';
export type { Database, ListOptions, Query } from './database/sql.ts';
export { ConstraintError } from './database/constraint-error.ts';
export { StoreUnavailable } from './database/store-unavailable.ts';
export {
  defineService,
  type Authenticate,
  type Background,
  type Feature,
  type Job,
  type Middleware,
  type Needs,
  type Services,
  type SharedServices,
  type WithStore,
} from './feature.ts';
export { CursorExpired } from './feed/cursor.ts';
export type { Feed, FeedWriter } from './feed/feed.ts';
export type { FeedEntry } from './feed/tail.ts';
export type { TopicOptions } from './feed/topics.ts';
export { errorResponse } from './http/api-error.ts';
export type { AddOptions, JobDefinition, JobRun, Jobs } from './jobs/job.ts';
export { parseTick, type Schedule, type Tick } from './jobs/ticks.ts';
export type { List } from './http/list.ts';
export type { Identity } from './keys/identify.ts';
export { InvalidToken, type TokenRequest } from './keys/identity-provider.ts';
export type { Claims } from './keys/key-store.ts';
export { atomic } from './pipeline/atomic.ts';
export { notYet } from './pipeline/dispatch.ts';
export { contextOf, type HandlerContext } from './pipeline/handler-context.ts';
export type { Handler, Handlers } from './pipeline/handler.ts';
export { OperatorError } from './operator-error.ts';
export { flag, integer, secret, text, url, type SettingsOf } from './settings.ts';
export type { ErrorBodyMaker } from './validation/error-bodies.ts';
export type { ErrorFacts, Violation } from '@contract-kit/core/errors';
export { InvalidRecord, recordCheck } from './validation/record-schema.ts';
