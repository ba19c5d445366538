export type { ClientContract, Contract, ErrorBody, Plan, ServiceNames } from './contract.ts';
export type { Deprecation, Example, Operation, ParameterStyle, Security } from './operation.ts';
