import type { ErrorBody } from '@contract-kit/core';
import type { headersOfEveryResponse } from '@contract-kit/core/http';
import type { FileBody } from '../http/file-body.ts';
import type { List } from '../http/list.ts';
import type { ActiveKey } from '../keys/key-store.ts';
import type { HandlerContext } from './handler-context.ts';

/** The part of an operation's generated types that its handler needs. */
export interface OperationTypes {
  readonly caller: keyof Callers;
  readonly received: object;
  readonly responses: object;
}

/** The key of the request, if the contract secures the operation; optional if that is an alternative. */
interface Callers {
  key: { readonly caller: ActiveKey };
  perhaps: { readonly caller: ActiveKey | undefined };
  none: object;
}

export type HandlerInput<Operation extends OperationTypes> = Operation['received'] &
  Callers[Operation['caller']];

interface DeclaredResponse {
  readonly headers: object;
  /** The names of the headers that the handler sets. */
  readonly own: PropertyKey;
  readonly codes?: string;
  readonly body: unknown;
  /** By media type, if there are several. */
  readonly bodies?: object;
}

/** The pipeline sets some headers itself. */
type Own<Headers> = Headers & { [Name in (typeof headersOfEveryResponse)[number]]?: never };
type HeadersPart<Headers> = object extends Headers ? { headers?: Own<Headers> } : { headers: Own<Headers> };
/** An array may also be a List of the database, and bytes a file or a stream. */
type BodyPart<Body> = [Body] extends [undefined]
  ? { body?: undefined }
  : {
      body:
        | Body
        | (Body extends readonly (infer Item)[] ? List<Item> : never)
        | (Body extends Uint8Array ? FileBody : never);
    };

/** The statuses of a key in `responses`. The handler chooses within a range and `default`. */
type StatusOf<Key> = Key extends number ? Key : number;

/** A range such as `image/*` stands for each of its media types. */
type WithinRange<Type> = Type extends `*/*`
  ? string
  : Type extends `${infer Main}/*`
    ? `${Main}/${string}`
    : Type;

/** Whether `Types` is one type, and no range such as `image/*`. */
type IsOne<Types, All = Types> = Types extends `${string}*`
  ? false
  : Types extends unknown
    ? [All] extends [Types]
      ? true
      : false
    : never;
type TypesOf<Bodies, Body> = {
  [Type in keyof Bodies]: Bodies[Type] extends Body ? Type : never;
}[keyof Bodies];

/** The media types of one body, so that a handler may choose one while it runs. */
type TypesLike<Bodies, Body> = {
  [Type in keyof Bodies]: [Body, Bodies[Type]] extends [Bodies[Type], Body] ? Type : never;
}[keyof Bodies];

/** Bytes need a type, which a Blob has, unless the contract has one for them. */
type Unnamed<Bodies> = {
  [Type in keyof Bodies]: Bodies[Type] extends Uint8Array
    ? false extends IsOne<TypesOf<Bodies, Uint8Array>>
      ? Blob
      : Bodies[Type]
    : Bodies[Type];
}[keyof Bodies];

/** A body of one of several media types, which the handler names, or leaves to the request. */
type NamedBody<Bodies> =
  | {
      [Type in keyof Bodies]: {
        headers: { 'Content-Type': WithinRange<TypesLike<Bodies, Bodies[Type]>> };
      } & BodyPart<Bodies[Type]>;
    }[keyof Bodies]
  | ({ headers?: { 'Content-Type'?: never } } & BodyPart<Unnamed<Bodies>>);

type Returned<Status, Response> = Response extends DeclaredResponse
  ? { status: StatusOf<Status> } & HeadersPart<
      Pick<Response['headers'], Response['own'] & keyof Response['headers']>
    > &
      (Response extends { bodies: infer Bodies }
        ? NamedBody<Bodies>
        : BodyPart<
            Response extends { codes: infer Code extends string }
              ? ErrorBody<Code, StatusOf<Status>>
              : Response['body']
          >)
  : never;

/** What a handler may return: a status of the contract, with the headers and the body declared for it. */
export type HandlerResponse<Operation extends OperationTypes> = {
  [Status in keyof Operation['responses']]: Returned<Status, Operation['responses'][Status]>;
}[keyof Operation['responses']];

export type Handler<Operation extends OperationTypes> = (
  input: HandlerInput<Operation>,
  context: HandlerContext,
) => HandlerResponse<Operation> | Promise<HandlerResponse<Operation>>;

/** Exactly one handler for each operation. */
export type Handlers<Operations extends Record<keyof Operations, OperationTypes>> = {
  readonly [Id in keyof Operations]: Handler<Operations[Id]>;
};
