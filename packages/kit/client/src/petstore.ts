import type { Operations } from '@petstore/contract';
import type { PetstoreOptions } from './options.ts';
import type { Arguments, Call, OperationId } from './types.ts';

/** The API: one method per operation of the contract, under its operationId. */
export type Petstore = PetstoreOf<Operations> & Extras;

type PetstoreOf<Contract> = {
  readonly [Id in keyof Contract]: Id extends OperationId ? (...args: Arguments<Id>) => Call<Id> : never;
};

interface Extras {
  /**
   * Another client that differs in these options; one that is `undefined` stays as it is. It shares the key and what is
   * known of its limits, unless `apiKey` or the address is among them.
   */
  withOptions(options: PetstoreOptions): Petstore;
}
