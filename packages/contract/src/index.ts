import type { components } from './generated/schema.ts';

export { errorCodes, type ErrorCode } from './generated/errors.ts';
export type { Operations } from './generated/operations.ts';
export { plans } from './generated/plans.ts';
export * from './generated/values.ts';
export type { components };
