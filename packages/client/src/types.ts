import type { components, Operations } from '@petstore/contract';

/** The operationId of every operation of the API. */
export type OperationId = keyof Operations;

/** The resources of the API by name, such as `Schemas['Order']`. */
export type Schemas = components['schemas'];

type OrderSchema = Schemas['Order'];
type PetSchema = Schemas['Pet'];

/* Interfaces, because editors show those by their names. */

/** An order placed in the store. A field that was never given is absent. */
export interface Order extends OrderSchema {}

/** An animal of the store. A field that was never given is absent. */
export interface Pet extends PetSchema {}

type Named<Value> = Value extends readonly (infer Item)[]
  ? Named<Item>[]
  : Same<Value, PetSchema> extends true
    ? Pet
    : Same<Value, OrderSchema> extends true
      ? Order
      : Value;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/**
 * A 64-bit integer, sent exactly: a safe integer, a bigint, or decimal digits such as `'9007199254740993'`.
 * Range: −2^63 to 2^63−1. Anything else is refused with an `InputError` before any request.
 */
export type Int64 = number | bigint | string;

type Exact<Parameters> = { [Name in keyof Parameters]: Sent<Parameters[Name]> };

type Sent<Value> = Value extends bigint
  ? Int64
  : Value extends readonly (infer Item)[]
    ? readonly Sent<Item>[]
    : Value;

type Body<Id extends OperationId> = Operations[Id]['input'] extends { body: infer Value }
  ? [Value] extends [undefined]
    ? unknown
    : Operations[Id] extends { flat: true }
      ? Value
      : undefined extends Value
        ? { body?: Value }
        : { body: Value }
  : never;

type Flat<Parts> = keyof Parts extends never
  ? { [name: string]: never }
  : { [Name in keyof Parts]: Parts[Name] };

/** What an operation takes: parameters and fields of the body, or the whole `body` where those cannot be side by side. */
export type Input<Id extends OperationId> = Flat<
  Taken<Exact<Operations[Id]['input']['path']>> &
    Exact<Operations[Id]['input']['query']> &
    Repeatable<Exact<Operations[Id]['input']['headers']>> &
    Body<Id>
>;

/** As it was read: the contract may let an id be absent in what it comes from, and `undefined` is refused when sent. */
type Taken<Parameters> = { [Name in keyof Parameters]: Parameters[Name] | undefined };

/** The client makes an idempotency key where none is given. */
type Repeatable<Parameters> = Omit<Parameters, IdempotencyKey<Parameters>> &
  Partial<Pick<Parameters, IdempotencyKey<Parameters>>>;

type IdempotencyKey<Parameters> = {
  [Name in keyof Parameters]: Lowercase<Name & string> extends 'idempotency-key' ? Name : never;
}[keyof Parameters];

type Replies<Id extends OperationId> = Operations[Id]['responses'];

type Success<Statuses> = Statuses extends number
  ? `${Statuses}` extends `${2 | 3}${string}`
    ? Statuses
    : never
  : never;

/** What an operation returns: the body of its 2xx or 3xx reply, `undefined` where that has none. */
export type Data<Id extends OperationId> = {
  [Status in keyof Replies<Id>]: Status extends Success<Status> ? BodyOf<Replies<Id>[Status]> : never;
}[keyof Replies<Id>];

type BodyOf<Declared> = Declared extends { body: infer Value }
  ? Declared extends { codes: infer Codes }
    ? Omit<Value, 'code'> & { code: Codes | (string & {}) }
    : Named<Value>
  : never;

type HeadersOf<Declared> = Declared extends { headers: infer Values }
  ? { readonly [Name in keyof Values as string extends Name ? never : Name]?: Values[Name] }
  : never;

/** The state of the caller's quota, from the X-RateLimit headers of a reply. */
export interface RateLimit {
  /** Requests that the window allows. */
  readonly limit: number;
  /** Requests that remain in it. */
  readonly remaining: number;
  /** When it resets: Unix time in seconds, by the server's clock. */
  readonly reset: number;
}

/** What every reply has, whatever its status. */
export interface ReplyBase {
  readonly operation: OperationId;
  readonly method: string;
  /** The address of the request, without the key. */
  readonly url: string;
  /** The HTTP status; 0 for a redirect in a browser. */
  readonly status: number;
  /** `X-Request-Id`: quote it to support. */
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** Seconds to wait before the next call, if the reply asks for that. */
  readonly retryAfter: number | undefined;
  /** Requests that this call sent, from 1. */
  readonly attempts: number;
  /** All headers, undeclared ones included; without the key where the reply is no success. */
  readonly rawHeaders: Headers;
}

/** The replies that the contract declares for an operation, to be told apart by `status`. */
export type DeclaredReply<Id extends OperationId> = {
  [Status in keyof Replies<Id>]: ReplyBase & {
    readonly declared: true;
    readonly status: Status;
    /** The headers that the contract declares for this reply. One that a proxy took away, or made no exact number, is absent. */
    readonly headers: HeadersOf<Replies<Id>[Status]>;
    readonly body: BodyOf<Replies<Id>[Status]>;
  };
}[keyof Replies<Id>];

/** A reply that the contract does not declare, such as HTML of a proxy or a redirect. Never a success. */
export interface UndeclaredReply extends ReplyBase {
  readonly declared: false;
  readonly status: number;
  /** What arrived: parsed if it was JSON, otherwise its text; `undefined` if nothing did. */
  readonly body: unknown;
}

/** Everything that may come of a call. Check `declared`, then `status`. */
export type Reply<Id extends OperationId> = DeclaredReply<Id> | UndeclaredReply;

/** A call under way. Await it for the data; ask it for its `reply()` for the whole reply. */
export interface Call<Id extends OperationId> extends Promise<Data<Id>> {
  /** The whole reply to this same call, whatever its status: no `ApiError` or `UnexpectedReplyError` is thrown. */
  reply(): Promise<Reply<Id>>;
}

/** How long a call may take, and how often it may try. */
export interface Limits {
  /** Milliseconds for one request and its response, above 0. Default: 30,000. */
  readonly timeout?: number | undefined;
  /** Milliseconds for the whole call, above 0. A wait that would end later is not begun. Default: 90,000. */
  readonly budget?: number | undefined;
  /** Requests that one call may send, at least 1; only what is safe to repeat is (RFC 9110 §9.2.2). Default: 4. */
  readonly maxAttempts?: number | undefined;
}

/** Headers by their names; one that is `undefined` or `null` is left out. */
export type HeaderValues =
  | Readonly<Record<string, string | null | undefined>>
  | Iterable<readonly [name: string, value: string | null | undefined]>;

/** Headers, or a function that gives them for each request. */
export type HeadersOption = HeaderValues | (() => HeaderValues | Promise<HeaderValues>);

/** What may be set per call. */
export interface CallOptions extends Limits {
  /** Headers of this call's requests; they come before those of the client. */
  readonly headers?: HeadersOption | undefined;
  /** Cancels the call, its waits included; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What the method of an operation takes. */
export type Arguments<Id extends OperationId> =
  {} extends Input<Id>
    ? [input?: Input<Id>, options?: CallOptions]
    : [input: Input<Id>, options?: CallOptions];

/** The operations as plain asynchronous functions: a `Petstore` is one, and so is `{ listOrders: async () => [] }`. */
export type PetstoreMethods<Id extends OperationId = OperationId> = {
  readonly [Each in Id]: (...args: Arguments<Each>) => Promise<Data<Each>>;
};
