import type { components } from './generated/schema.ts';

export { errorCodes, type ErrorCode } from './generated/errors.ts';
export type { Operations } from './generated/operations.ts';
export { plans } from './generated/plans.ts';
export * from './generated/values.ts';
export type { components };

export type Order = components['schemas']['Order'];
export type Pet = components['schemas']['Pet'];
