import type { components } from './generated/schema.ts';

export { contract } from './generated/contract.ts';
export { operations, type Operations } from './generated/operations.ts';
export { basePath, contractVersion, servers } from './generated/servers.ts';
export { examples } from './generated/examples.ts';
export { errorCodes, type ErrorCode } from './generated/errors.ts';
export { headerTypes } from './generated/headers.ts';
export { plans } from './generated/plans.ts';
export { policies } from './generated/policies.ts';
export type { components };

export type Order = components['schemas']['Order'];
export type Pet = components['schemas']['Pet'];
