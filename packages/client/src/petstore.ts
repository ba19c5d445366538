import type { Operations } from '@petstore/contract';
import type { PetstoreOptions } from './options.ts';
import type { Arguments, Call, CallOptions, OperationId, ReplyBase } from './types.ts';

/** The API: one method per operation of the contract, under its operationId. */
export type Petstore = PetstoreOf<Operations> & Extras;

type PetstoreOf<Contract> = {
  readonly [Id in keyof Contract]: Id extends OperationId ? (...args: Arguments<Id>) => Call<Id> : never;
};

interface Extras {
  /**
   * Calls what the contract does not have, such as `request('GET /pets/{petId}/photos', { petId: 1 })`, paced and tried
   * again like any operation. What of the input is not in the path goes into the query; into a JSON body with POST, PUT
   * and PATCH. A reply below 300 is a success if it is JSON or empty. What it contains is not checked.
   */
  request<Result = unknown>(
    route: `${Uppercase<string>} /${string}`,
    input?: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): RequestCall<Result>;
  /** Another client that differs in these options; one that is `undefined` stays as it is. It shares the key, and what is known of its limits, unless `apiKey` or the address is among them. */
  withOptions(options: PetstoreOptions): Petstore;
}

/** A `request` under way. */
export interface RequestCall<Result> extends Promise<Result> {
  /** The whole reply to this same request, as of a `Call`. */
  reply(): Promise<RequestReply>;
}

/** A reply to a `request`: `declared` if it is a success in JSON, or an empty one. */
export interface RequestReply extends ReplyBase {
  readonly declared: boolean;
  readonly body: unknown;
}
