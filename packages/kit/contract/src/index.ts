export type { ClientContract, Contract, ErrorBody, Plan, ServiceNames } from './contract.ts';
export type { Deprecation, Example, Operation, Security } from './operation.ts';
