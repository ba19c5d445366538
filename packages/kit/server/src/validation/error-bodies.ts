import type { Contract } from '@contract-kit/core';
import { idempotencyKeyOf } from '@contract-kit/core/idempotency-key';
import { modelOf, responseFor } from '@contract-kit/core/model';
import { isJson } from '@contract-kit/core/media-type';
import { errorShapesOf } from '@contract-kit/core/error-shape';
import { NO_REQUEST_ID, type PlainError } from '@contract-kit/core/plain-error';
import { JSON_IN_UTF8, JSON_TYPE } from '../http/headers.ts';
import { pipelineErrors, statusFor } from '@contract-kit/core/pipeline-errors';
import { memoize } from '../memoize.ts';
import { OperatorError } from '../operator-error.ts';

/** The responses for pipeline errors, in the contract's shape. */
export interface ErrorBodies {
  /** Whether they are filled from the contract, and not made by the service. */
  readonly areFilled: boolean;
  /** The body of `error` as text, for a response of an operation, or outside operations. */
  of(operationId: string | undefined, error: PlainError): { readonly body: string; readonly type: string };
}

/** Makes the JSON body of a pipeline error, for a response of an operation, or outside operations. */
export type ErrorBodyMaker<Body = unknown> = (error: PlainError, operationId?: string) => Body;

/** A declared response that no pipeline error satisfies. */
export interface UnfilledError {
  readonly operationId: string;
  /** The key of `responses`: a status, a range, or `default`. */
  readonly response: string;
  readonly status: number;
  /** Which of its fields, and why. */
  readonly violation: string;
}

const MOST_NAMED = 5;

/** Makes errors in the shapes of `contract`, or with `make`. Throws an OperatorError if a response cannot be filled. */
export function createErrorBodies(contract: Contract, make?: ErrorBodyMaker): ErrorBodies {
  const { bodies, unfilled } = errorBodiesOf(contract, make);
  if (unfilled.length === 0) return bodies;
  const places = new Set(
    unfilled.map(({ operationId, response, violation }) => {
      const { method = '', path = '' } = contract.operations[operationId] ?? {};
      return `${method} ${path} ${response} (${violation})`;
    }),
  );
  const all = `${places.size} responses: ${[...places].slice(0, MOST_NAMED).join(', ')}`;
  // `openapi.yaml` need not have these responses: `generate` adds them.
  throw new OperatorError(
    make
      ? `errorBody of defineService does not fit ${all}; change what it returns, or declare its shape there too, with anyOf`
      : `no error of the pipeline fits ${all}; make their bodies with errorBody of defineService`,
  );
}

/** The bodies, and the declared responses that they do not satisfy. */
export function errorBodiesOf(contract: Contract, make?: ErrorBodyMaker) {
  const { document, operations } = contract;
  const shapes = errorShapesOf(document);
  const model = modelOf(document);
  const responsesOf = (operation: Contract['operations'][string]) => model.operationAt(operation).responses;
  const describedBy = memoize((operationId: string | undefined) => {
    const operation = operationId === undefined ? undefined : operations[operationId];
    return memoize((status: number) => (operation ? shapes.of(responsesOf(operation), status) : shapes.most));
  });

  const makeBody = (operationId: string | undefined, error: PlainError) => {
    const { type, shape } = describedBy(operationId)(error.status);
    return make && isJson(type) ? make(error, operationId) : shape(error);
  };

  const unfilled = Object.entries(operations).flatMap(([operationId, operation]): UnfilledError[] =>
    Object.entries(pipelineErrors).flatMap(([code, error]) => {
      const { message } = error;
      const status = statusFor(error, operation);
      const response = responseFor(responsesOf(operation), status)?.status;
      if (
        !('replaces' in error) ||
        response === undefined ||
        !mayReplace(contract, operationId, error.status)
      )
        return [];
      const body = makeBody(operationId, { code, message, status, requestId: NO_REQUEST_ID });
      const violation = describedBy(operationId)(status).violationOf(body);
      return violation === undefined ? [] : [{ operationId, response, status, violation }];
    }),
  );

  const bodies: ErrorBodies = {
    areFilled: make === undefined,
    of(operationId, error) {
      const described = describedBy(operationId)(error.status);
      const body = makeBody(operationId, error);
      const type = described.type === JSON_TYPE ? JSON_IN_UTF8 : described.type;
      return { body: isJson(type) ? JSON.stringify(body) : String(body), type };
    },
  };
  return { bodies, unfilled };
}

/** Whether the pipeline may send an error with this usual status for the operation. */
function mayReplace({ operations, scopes = {} }: Contract, operationId: string, status: number): boolean {
  const { anonymous, body, ...operation } = operations[operationId] ?? { method: '' };
  if (status === 401) return anonymous !== true;
  if (status === 403) return operationId in scopes;
  if (status === 409 || status === 422) return idempotencyKeyOf(operation) !== undefined;
  return (status !== 413 && status !== 415) || body !== undefined;
}
