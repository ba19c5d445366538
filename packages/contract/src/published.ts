/* What the client is made of: the contract without its internal operations. */
export { errorCodes, type ErrorCode } from './generated/errors.ts';
export { examples } from './generated/examples.ts';
export { plans } from './generated/plans.ts';
export {
  headerTypes,
  operations,
  policies,
  type components,
  type Operations,
} from './generated/published.ts';
export { basePath, servers } from './generated/servers.ts';
export type { Example, Operation, Policy } from './operation.ts';
