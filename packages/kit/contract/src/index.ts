export type { ClientContract, Contract, ErrorBody, Plan, ServiceNames } from './contract.ts';
export type { Example, Operation, Policy } from './operation.ts';
