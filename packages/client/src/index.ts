// Generated from openapi.yaml by `npm run generate` of contract-kit 0.1.0. Edit openapi.yaml instead.

import { ApiError as AnyApiError, createClient, createFetch as createFetchOf } from '@contract-kit/client';
import type { ApiErrorOf, BaseCall, CallOptions, ErrorBody as AnyErrorBody, ErrorDetails } from '@contract-kit/client';
import type { Input, Options, PacedFetch, Reply, UnexpectedReplyError } from '@contract-kit/client';
import type { ClientContract } from '@contract-kit/client';
import { basePath, servers } from '@petstore/contract';
import { headerTypes, operations } from './client-operations.ts';
import type { components, ErrorCode, errorCodes, Operations } from '@petstore/contract';

export * from '@contract-kit/client/public';
export type { ErrorCode };

const contract: ClientContract<Operations> = {
  name: "petstore",
  version: "1.0.0",
  servers,
  basePath,
  operations,
  headerTypes,
};

/** The operationId of every operation of the API. */
export type OperationId = keyof Operations;

/** The servers of the contract by name. */
export type Environment = keyof typeof servers;

/** The options of `createPetstore`. */
export interface PetstoreOptions extends Options<Environment> {}

/** The schemas of the API by name. */
export type Schemas = components['schemas'];

/* Interfaces, because editors show those by their names. */

type OrderSchema = Schemas["Order"];

/** An order placed in the store. A field that was never given is absent. */
export interface Order extends OrderSchema {}

type PetSchema = Schemas["Pet"];

/** An animal of the store. A field that was never given is absent. */
export interface Pet extends PetSchema {}

/** The body of an error. New codes may appear at any time: handle an unknown one by its status. */
export interface ErrorBody<Code extends string = ErrorCode, Status extends number = number> extends AnyErrorBody<
  Code,
  Status
> {}

/** The API rejected the call, for one of the reasons in the contract. Narrow it by `status`, then by `code`. */
export type ApiError = ApiErrorOf<typeof errorCodes>;

/** The API rejected the call, for one of the reasons in the contract. Narrow it by `status`, then by `code`. */
export const ApiError = AnyApiError as unknown as {
  new (message: string, details: ErrorDetails): ApiError;
  readonly prototype: ApiError;
};

/** A running call. Await its data, its `reply()` or its `result()`. It is sent once. */
export interface Call<Data, Declared> extends BaseCall<Data, Declared, ApiError | UnexpectedReplyError> {}

/** The responses that the contract declares for `listOrders`, distinguished by `status`. */
export type ListOrdersReply =
  | Reply<200, Order[], Operations["listOrders"]['responses'][200]['headers']>
  | Reply<400, ErrorBody<"invalid_request", 400>, Operations["listOrders"]['responses'][400]['headers']>
  | Reply<401, ErrorBody<"unauthorized", 401>, Operations["listOrders"]['responses'][401]['headers']>
  | Reply<429, ErrorBody<"rate_limit_exceeded" | "api_key_banned", 429>, Operations["listOrders"]['responses'][429]['headers']>
  | Reply<500, ErrorBody<"internal_error", 500>, Operations["listOrders"]['responses'][500]['headers']>
  | Reply<503, ErrorBody<"service_unavailable", 503>, Operations["listOrders"]['responses'][503]['headers']>;

/** The input of `cancelOrder`. */
export interface CancelOrderInput extends Input<Operations["cancelOrder"]> {}

/** The responses that the contract declares for `cancelOrder`, distinguished by `status`. */
export type CancelOrderReply =
  | Reply<204, undefined, Operations["cancelOrder"]['responses'][204]['headers']>
  | Reply<400, ErrorBody<"invalid_request", 400>, Operations["cancelOrder"]['responses'][400]['headers']>
  | Reply<401, ErrorBody<"unauthorized", 401>, Operations["cancelOrder"]['responses'][401]['headers']>
  | Reply<404, ErrorBody<"order_not_found", 404>, Operations["cancelOrder"]['responses'][404]['headers']>
  | Reply<409, ErrorBody<"order_already_shipped", 409>, Operations["cancelOrder"]['responses'][409]['headers']>
  | Reply<429, ErrorBody<"rate_limit_exceeded" | "api_key_banned", 429>, Operations["cancelOrder"]['responses'][429]['headers']>
  | Reply<500, ErrorBody<"internal_error", 500>, Operations["cancelOrder"]['responses'][500]['headers']>
  | Reply<503, ErrorBody<"service_unavailable", 503>, Operations["cancelOrder"]['responses'][503]['headers']>;

/** The input of `getPet`. */
export interface GetPetInput extends Input<Operations["getPet"]> {}

/** The responses that the contract declares for `getPet`, distinguished by `status`. */
export type GetPetReply =
  | Reply<200, Pet, Operations["getPet"]['responses'][200]['headers']>
  | Reply<400, ErrorBody<"invalid_request", 400>, Operations["getPet"]['responses'][400]['headers']>
  | Reply<401, ErrorBody<"unauthorized", 401>, Operations["getPet"]['responses'][401]['headers']>
  | Reply<404, ErrorBody<"pet_not_found", 404>, Operations["getPet"]['responses'][404]['headers']>
  | Reply<429, ErrorBody<"rate_limit_exceeded" | "api_key_banned", 429>, Operations["getPet"]['responses'][429]['headers']>
  | Reply<500, ErrorBody<"internal_error", 500>, Operations["getPet"]['responses'][500]['headers']>
  | Reply<503, ErrorBody<"service_unavailable", 503>, Operations["getPet"]['responses'][503]['headers']>;

/** The API: one method per operation of the contract, under its operationId. */
export interface Petstore {
  /**
   * List orders
   *
   * Returns every order placed in the store, cancelled ones included, ordered by id.
   *
   * One response has all of them: v1 has no filtering and no pagination.
   *
   * @param input The operation has no input: the options may be passed here.
   * @param options Time-outs, headers and the signal of this call.
   */
  listOrders(input?: CallOptions, options?: CallOptions): Call<Order[], ListOrdersReply>;
  /**
   * Cancel an order
   *
   * Cancels a pending order. A shipped order cannot be cancelled.
   *
   * Cancelling is idempotent: if the order is already cancelled, the response is `204` again, so it is safe to
   * repeat after a lost response.
   *
   * @param input `orderId`: Identifier of the order to cancel. All 64 bits are exact: an id that is not a canonical decimal integer (such as `01`, `+1` or `1.0`) is rejected with `400`, never rounded.
   * @param options Time-outs, headers and the signal of this call.
   */
  cancelOrder(input: CancelOrderInput, options?: CallOptions): Call<undefined, CancelOrderReply>;
  /**
   * Get a pet
   *
   * Returns one pet.
   *
   * Deprecated without a replacement: the operation is removed on its sunset date. Until then every response has
   * `Deprecation`, `Sunset` and `Link`.
   *
   * @param input `petId`: Identifier of the pet, a canonical decimal 64-bit integer.
   * @param options Time-outs, headers and the signal of this call.
   * @deprecated since 2026-11-01; goes away on 2027-06-30.
   */
  getPet(input: GetPetInput, options?: CallOptions): Call<Pet, GetPetReply>;
  /**
   * A client with these options changed; `undefined` changes nothing, and hooks are added to the existing
   * ones. It shares the key and its limits, unless `apiKey` or the address changes.
   */
  withOptions(options: PetstoreOptions): Petstore;
  /**
   * A `fetch` for requests outside the contract, with the same key, pacing, retries and hooks. A path such as `/status` is below
   * `baseUrl`. The key goes to `baseUrl` and below it only; a request elsewhere is a plain `fetch`.
   */
  readonly fetch: PacedFetch;
}

/** The operations as plain asynchronous functions: a `Petstore`, or an object in a test. */
export type PetstoreMethods<Id extends OperationId = OperationId> = {
  readonly [Each in Id]: (...args: Parameters<Petstore[Each]>) => Promise<Awaited<ReturnType<Petstore[Each]>>>;
};

/**
 * Creates a client of the API: one method per operation, under its operationId.
 *
 * Calls of one client share what the API says about its limits, so create one per key and keep it.
 *
 * @param options The address, the key, time-outs and retries.
 * @throws {TypeError} if an option is wrong, such as a malformed `apiKey`, or a `baseUrl` where the key would not be safe.
 */
export function createPetstore(options: PetstoreOptions = {}): Petstore {
  return createClient(contract, options) as Petstore;
}

/**
 * Creates the `fetch` of a client without the client: see `Petstore.fetch`.
 *
 * @param options The address, the key, time-outs and retries.
 * @throws {TypeError} if an option is wrong.
 */
export function createFetch(options: PetstoreOptions = {}): PacedFetch {
  // Not the whole contract: bundlers leave out its operations.
  return createFetchOf({ name: "petstore", version: "1.0.0", servers }, options);
}
