/**
 * A 64-bit integer, sent exactly: a safe integer, a bigint, or decimal digits such as `'9007199254740993'`.
 * Range: −2^63 to 2^63−1. Anything else is rejected with an `InputError` before any request.
 */
export type Int64 = number | bigint | string;

/** The generated input types of an operation. */
interface Described {
  readonly input: {
    readonly path: object;
    readonly query: object;
    readonly headers: object;
    readonly cookies?: object;
    readonly body: unknown;
  };
}

/** The input of an operation: its parameters with the fields of the body, or with the whole `body` if they may clash. */
export type Input<Operation extends Described> = Flat<
  Sent<Operation['input']['path']> &
    Sent<Operation['input']['query']> &
    Repeatable<Sent<Operation['input']['headers']>> &
    Sent<NonNullable<Operation['input']['cookies']>> &
    Body<Operation, Operation['input']['body']>
>;

type Flat<Parts> = { [Name in keyof Parts]: Parts[Name] };

/** Parameters with their 64-bit integers as they may be sent. */
export type Sent<Parameters> = { [Name in keyof Parameters]: SentValue<Parameters[Name]> };

type SentValue<Value> = Value extends bigint
  ? Int64
  : Value extends readonly (infer Item)[]
    ? readonly SentValue<Item>[]
    : Value;

/** The client makes an idempotency key if none is given. */
type Repeatable<Parameters> = Omit<Parameters, IdempotencyKey<Parameters>> &
  Partial<Pick<Parameters, IdempotencyKey<Parameters>>>;

type IdempotencyKey<Parameters> = {
  [Name in keyof Parameters]: Lowercase<Name & string> extends 'idempotency-key' ? Name : never;
}[keyof Parameters];

type Body<Operation, Value> = [Value] extends [undefined]
  ? {}
  : Operation extends { readonly flat: true }
    ? Value
    : undefined extends Value
      ? { body?: Value }
      : { body: Value };

/** The body of an error. New codes may appear at any time: treat an unknown one by its status. */
export interface ErrorBody<Code extends string = string, Status extends number = number> {
  /** Machine-readable. */
  readonly code: Code | (string & {});
  /** Human-readable description of the error. Not for programs: it may change. */
  readonly message: string;
  /** The HTTP status. */
  readonly status: Status;
}

/** The state of the caller's quota, from the X-RateLimit headers of a response. */
export interface RateLimit {
  /** Requests that the window allows. */
  readonly limit: number;
  /** Requests that remain in it. */
  readonly remaining: number;
  /** When it resets: Unix time in seconds, by the server's clock. */
  readonly reset: number;
}

/** The fields of every reply. */
export interface ReplyBase {
  readonly operation: string;
  readonly method: string;
  /** The address of the request, without the key. */
  readonly url: string;
  /** The HTTP status. */
  readonly status: number;
  /** `X-Request-Id`: quote it to support. */
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** Seconds to wait before the next call, if the response asks for that. */
  readonly retryAfter: number | undefined;
  /** Requests that this call sent, from 1. */
  readonly attempts: number;
  /** All headers, undeclared ones included; without the key unless the call succeeded. */
  readonly rawHeaders: Headers;
}

/** The whole response of one status, as the contract declares it. */
export interface Reply<Status extends number = number, Body = unknown, Headers = unknown> extends ReplyBase {
  readonly status: Status;
  /** The declared headers. One that a proxy removed, or that is not an exact number, is absent. */
  readonly headers: DeclaredHeaders<Headers>;
  readonly body: Body;
}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type NumberIn<Text> = Text extends `${infer Value extends number}` ? Value : never;

/** The statuses of each range that a contract may declare. */
interface Ranges {
  readonly '2XX': NumberIn<`2${Digit}${Digit}`>;
  readonly '3XX': NumberIn<`3${Digit}${Digit}`>;
  readonly '4XX': NumberIn<`4${Digit}${Digit}`>;
  readonly '5XX': NumberIn<`5${Digit}${Digit}`>;
  readonly default: NumberIn<`${2 | 3 | 4 | 5}${Digit}${Digit}`>;
}

/** The statuses of a range, but for those that are `Declared` more exactly: the exact one wins. */
export type StatusIn<Range extends keyof Ranges, Declared> = Exclude<
  Ranges[Range],
  Declared | (Range extends 'default' ? Ranges[Exclude<Declared & keyof Ranges, 'default'>] : never)
>;

type DeclaredHeaders<Values> = {
  readonly [Name in keyof Values as string extends Name ? never : Name]?: Values[Name];
};

/** The outcome of a call that had a response: `data` of a success, or the `error` that awaiting the call throws. */
export type Result<Data, Failure> =
  | { readonly data: Data; readonly error: undefined; readonly response: Response }
  | { readonly data: undefined; readonly error: Failure; readonly response: Response };

/** A call under way. Await it for its data, or ask it for more. It is sent once, whichever of these is used. */
export interface BaseCall<Data, Declared, Failure> extends Promise<Data> {
  /**
   * The whole response of any declared status.
   *
   * @throws {UnexpectedReplyError} if the response is not one that the contract declares.
   */
  reply(): Promise<Declared>;
  /** `{ data, error, response }`, without a throw for any status. The body of `response` has been read. */
  result(): Promise<Result<Data, Failure>>;
}

/** How long a call may take, and how often it may try. */
export interface Limits {
  /** Milliseconds for one request and its response, above 0; of a stream, up to its head. Default: 30,000. */
  readonly timeout?: number | undefined;
  /**
   * Milliseconds for the whole call, above 0. A wait that would end later is not begun. Of a stream: up to its head, and
   * again for as long as nothing arrives while it is resumed. Default: 90,000.
   */
  readonly budget?: number | undefined;
  /** Requests that one call may send, at least 1; only what is safe to repeat is (RFC 9110 §9.2.2). More are sent while the first one is under way, and says so by 409. Default: 4. */
  readonly maxAttempts?: number | undefined;
}

/** Headers by their names; one that is `undefined` or `null` is left out. */
export type HeaderValues =
  | Readonly<Record<string, string | null | undefined>>
  | Iterable<readonly [name: string, value: string | null | undefined]>;

/** Headers, or a function that gives them for each request. */
export type HeadersOption = HeaderValues | (() => HeaderValues | Promise<HeaderValues>);

/** The options of one call. */
export interface CallOptions extends Limits {
  /** Headers of this call's requests; they come before those of the client. */
  readonly headers?: HeadersOption | undefined;
  /** Cancels the call, its waits included; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /* Options of `fetch`. */
  readonly cache?: 'default' | 'force-cache' | 'no-cache' | 'no-store' | 'only-if-cached' | 'reload';
  readonly credentials?: 'include' | 'omit' | 'same-origin';
  readonly keepalive?: boolean;
  /** Of Next.js. */
  readonly next?: { readonly revalidate?: number | false; readonly tags?: string[] };
  readonly priority?: 'auto' | 'high' | 'low';
}
