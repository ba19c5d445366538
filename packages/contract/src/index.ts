export {
  basePath,
  contractVersion,
  operations,
  policies,
  servers,
  type Operations,
} from './generated/operations.ts';
export { errorCodes, type ErrorCode } from './generated/errors.ts';
export { headerTypes } from './generated/headers.ts';
export { plans } from './generated/plans.ts';
export type { components } from './generated/schema.ts';
export type { Operation, Policy } from './operation.ts';
export { headersOfDeprecation, headersOfEveryReply } from './pipeline-headers.ts';
export type * from './types.ts';
