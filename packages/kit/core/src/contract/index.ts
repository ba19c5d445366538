/*
 * A contract as a value: the types of what the generator writes, the names that follow from the name of a service, and the
 * version of the kit.
 */

export { clientNames, variableOf } from './client-names.ts';
export type {
  Contract,
  Deprecation,
  ErrorBody,
  Example,
  Plan,
  PublishedPackage,
  ServiceNames,
} from './contract.ts';
export { isFitting, VERSION } from './version.ts';
