import type {
  BodyOf,
  headersOfDeprecation,
  headersOfEveryReply,
  HeadersOf,
  OperationId,
  Operations,
  OperationsUnder,
  policies,
  Statuses,
} from '@petstore/contract';
import type { JsonText } from '../http/json-text.ts';
import type { ActiveKey } from '../keys/key-store.ts';

type Empty = Record<never, never>;

/** The alternatives of an operation's security; `never` where the contract opens it to everyone. */
type SecurityOf<Id extends OperationId> = (typeof policies)[Id]['security'][number];

/** The key of the request, on an operation that the contract secures; perhaps none, where that is an alternative. */
type CallerPart<Id extends OperationId> = [SecurityOf<Id>] extends [never]
  ? Empty
  : { readonly caller: readonly [] extends SecurityOf<Id> ? ActiveKey | undefined : ActiveKey };

/** The parts of the input, where parameters and fields that have a default are always there. */
type InputPart<Id extends OperationId> = {
  [Part in keyof Operations[Id]['input']]: Part extends 'query' | 'headers'
    ? Operations[Id] extends { defaults: infer Names }
      ? Filled<Operations[Id]['input'][Part], Names>
      : Operations[Id]['input'][Part]
    : Part extends 'body'
      ? Operations[Id] extends { received: infer Body }
        ? Body
        : undefined
      : Operations[Id]['input'][Part];
};

type Filled<Parameters, Names> = Parameters & Required<Pick<Parameters, Names & keyof Parameters>>;

/** What a handler is given: the validated input, int64 parameters as bigint, and who asks. */
export type HandlerInput<Id extends OperationId> = InputPart<Id> & CallerPart<Id>;

/** The headers that the pipeline sets: those of a deprecation only where the operation is deprecated. */
type PipelineHeader<Id extends OperationId> =
  | (typeof headersOfEveryReply)[number]
  | ((typeof policies)[Id] extends { deprecation: object } ? (typeof headersOfDeprecation)[number] : never);

type OwnHeaders<Id extends OperationId, Status extends Statuses<Id>> = Omit<
  HeadersOf<Id, Status>,
  PipelineHeader<Id>
> & { [Name in PipelineHeader<Id>]?: never };

type HeadersPart<Headers> = Empty extends Headers ? { headers?: Headers } : { headers: Headers };

/** A body may also be JSON text, where that is cheaper to come by, and which may arrive in batches. */
type BodyPart<Body> = [Body] extends [undefined] ? { body?: undefined } : { body: Body | JsonText<Body> };

/** What a handler may reply: a status of the contract, with the headers and the body declared for it. */
export type HandlerReply<Id extends OperationId> = {
  [Status in Statuses<Id>]: { status: Status } & HeadersPart<OwnHeaders<Id, Status>> &
    BodyPart<BodyOf<Id, Status>>;
}[Statuses<Id>];

export type Handler<Id extends OperationId> = (
  input: HandlerInput<Id>,
) => HandlerReply<Id> | Promise<HandlerReply<Id>>;

/** A handler for each operation in `Ids`, no more and no fewer. */
export type Handlers<Ids extends OperationId = OperationId> = { readonly [Id in Ids]: Handler<Id> };

/**
 * A handler for each operation whose path is `Path` or lies below it: what one feature folder answers for. `never` where
 * there is none, because `{}` would let through what is left over.
 */
export type HandlersUnder<Path extends string> = [OperationsUnder<Path>] extends [never]
  ? never
  : Handlers<OperationsUnder<Path>>;
