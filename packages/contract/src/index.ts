export { basePath, contractVersion, operations, type Operations } from './generated/operations.ts';
export { errorCodes, type ErrorCode } from './generated/errors.ts';
export { plans } from './generated/plans.ts';
export type { components } from './generated/schema.ts';
export type * from './types.ts';
export { errorStatuses, headerTypes, servers, wireCalls } from './generated/wire.ts';
export type { WireCall } from './wire.ts';
