import type { headersOfEveryReply } from '@kit/contract/pipeline-headers';
import type { RawJson } from '../http/raw-json.ts';
import type { ActiveKey } from '../keys/key-store.ts';

/** What the generator writes of an operation for its handler. */
export interface OperationTypes {
  readonly path: string;
  readonly handler: {
    /** Validated: int64 are bigint, and what has a default is there. */
    readonly input: object;
    /** Whether a request has a key: always, perhaps, or never. */
    readonly caller: 'key' | 'perhaps' | 'none';
    /** By status: the headers that a handler sets, and the body. */
    readonly responses: Readonly<Record<number, { readonly headers: object; readonly body: unknown }>>;
  };
}

/** The key of the request, on an operation that the contract secures; perhaps none, where that is an alternative. */
interface Callers {
  key: { readonly caller: ActiveKey };
  perhaps: { readonly caller: ActiveKey | undefined };
  none: object;
}

export type HandlerInput<Operation extends OperationTypes> = Operation['handler']['input'] &
  Callers[Operation['handler']['caller']];

/** The pipeline sets some headers itself. */
type Own<Headers> = Headers & { [Name in (typeof headersOfEveryReply)[number]]?: never };
type HeadersPart<Headers> = object extends Headers ? { headers?: Own<Headers> } : { headers: Own<Headers> };
/** A body may also be JSON text, where that is cheaper to come by, and which may arrive in batches. */
type BodyPart<Body> = [Body] extends [undefined] ? { body?: undefined } : { body: Body | RawJson<Body> };

/** What a handler may return: a status of the contract, with the headers and the body declared for it. */
export type HandlerResponse<
  Operation extends OperationTypes,
  Responses extends OperationTypes['handler']['responses'] = Operation['handler']['responses'],
> = {
  [Status in keyof Responses & number]: { status: Status } & HeadersPart<Responses[Status]['headers']> &
    BodyPart<Responses[Status]['body']>;
}[keyof Responses & number];

export type Handler<Operation extends OperationTypes> = (
  input: HandlerInput<Operation>,
) => HandlerResponse<Operation> | Promise<HandlerResponse<Operation>>;

/** A handler for each of the operations, no more and no fewer. */
export type Handlers<Operations extends Record<keyof Operations, OperationTypes>> = {
  readonly [Id in keyof Operations]: Handler<Operations[Id]>;
};

/** The operations whose path is `Path` or lies below it. */
type IdsUnder<Operations extends Record<keyof Operations, OperationTypes>, Path extends string> = {
  [Id in keyof Operations]: Operations[Id]['path'] extends Path | `${Path}/${string}` ? Id : never;
}[keyof Operations];

/**
 * A handler for each operation whose path is `Path` or lies below it: what one feature answers for. `never` where there
 * is none, because `{}` would let through what is left over.
 */
export type HandlersUnder<
  Operations extends Record<keyof Operations, OperationTypes>,
  Path extends string,
> = [IdsUnder<Operations, Path>] extends [never]
  ? never
  : Handlers<Pick<Operations, IdsUnder<Operations, Path>>>;
