import type { ErrorCode, errorCodes } from './generated/errors.ts';
import type { Operations } from './generated/operations.ts';
import type { plans } from './generated/plans.ts';
import type { components } from './generated/schema.ts';

export type OperationId = keyof Operations;
export type PlanId = keyof typeof plans;

export type Order = components['schemas']['Order'];
export type Pet = components['schemas']['Pet'];

/** The body of every error, as a consumer sees it: `code` stays open, because new codes may appear. */
export type ErrorBody = components['schemas']['Error'];

/** The body of an error, as the server may write it: only codes of the contract, each with its status. */
export type KnownErrorBody<Code extends ErrorCode = ErrorCode> = Omit<ErrorBody, 'code' | 'status'> & {
  code: Code;
  status: (typeof errorCodes)[Code];
};

export type Statuses<Id extends OperationId> = keyof Operations[Id]['replies'] & number;

type ReplyOf<Id extends OperationId, Status> = Operations[Id]['replies'][Status &
  keyof Operations[Id]['replies']];

/** The body of a reply, as the server may write it: an error only with a code that the contract lists for the reply. */
export type BodyOf<Id extends OperationId, Status extends Statuses<Id>> =
  ReplyOf<Id, Status> extends { codes: infer Codes extends ErrorCode }
    ? KnownErrorBody<Codes>
    : ReplyOf<Id, Status> extends { body: infer Body }
      ? Body
      : never;

/** The headers the contract declares for a reply, without the index signature that admits any other. */
export type HeadersOf<Id extends OperationId, Status extends Statuses<Id>> =
  ReplyOf<Id, Status> extends { headers: infer Headers }
    ? { [Name in keyof Headers as string extends Name ? never : Name]: Headers[Name] }
    : never;

/** The operations whose path is `Path` or lies below it. */
export type OperationsUnder<Path extends string> = {
  [Id in OperationId]: Operations[Id]['path'] extends Path | `${Path}/${string}` ? Id : never;
}[OperationId];
