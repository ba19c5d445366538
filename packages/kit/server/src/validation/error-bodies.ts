import {
  errorsOf,
  errorShapesOf,
  makerOf,
  NO_REQUEST_ID,
  type ErrorFacts,
  type Violation,
} from '@contract-kit/core/errors';
import { operationName, responseFor, type Model, type Operation } from '@contract-kit/core/model';
import { isJson } from '@contract-kit/core/http';
import { stepsOf } from '@contract-kit/core/json';
import type { FoundViolation } from '../http/api-error.ts';
import { JSON_IN_UTF8, JSON_TYPE } from '../http/headers.ts';
import { memoize } from '../memoize.ts';
import { OperatorError } from '../operator-error.ts';

/** An error as the pipeline knows it. */
export type FoundError = Omit<ErrorFacts, 'violations'> & { readonly violations?: readonly FoundViolation[] };

/** The responses for pipeline errors, in the contract's shape. */
export interface ErrorBodies {
  /** The body of `error` as text, for a response of an operation, or outside operations. */
  of(operationId: string | undefined, error: FoundError): { readonly body: string; readonly type: string };
}

/** Makes the body of a pipeline error, for a response of an operation, or outside operations. */
export type ErrorBodyMaker<Body = unknown> = (error: ErrorFacts, operationId?: string) => Body;

/** A declared response that no pipeline error satisfies. */
export interface UnfilledError {
  readonly operation: Operation;
  /** The key of `responses`: a status, a range, or `default`. */
  readonly response: string;
  readonly status: number;
  /** Which of its fields, and why. */
  readonly violation: string;
}

const MOST_NAMED = 5;

const OTHERS = 'its fields are others than code, message and status';

/** Makes errors in the shapes of the contract, with `make` if there is one. Throws an OperatorError if a response cannot be filled. */
export function createErrorBodies(model: Model, make?: ErrorBodyMaker): ErrorBodies {
  const { bodies, unfilled } = errorBodiesOf(model, make);
  if (unfilled.length === 0) return bodies;
  const places = new Set(
    unfilled.map(
      ({ operation, response, violation }) => `${operationName(operation)} ${response} (${violation})`,
    ),
  );
  const all = `${places.size} responses: ${[...places].slice(0, MOST_NAMED).join(', ')}`;
  // `openapi.yaml` need not have these responses: `generate` adds them.
  throw new OperatorError(
    make
      ? `errorBody of defineService does not fit ${all}; change what it returns, or declare its shape there too, with anyOf`
      : `nothing makes the errors of ${all}; pass errorBody to defineService: contract-kit generate writes a first one into error-body.ts, if there is none`,
  );
}

/** The bodies, and the declared responses that they do not satisfy. */
export function errorBodiesOf(model: Model, make?: ErrorBodyMaker) {
  const shapes = errorShapesOf(model);
  const shapeFor = memoize((operationId: string | undefined) => {
    const operation = model.operationOf.get(operationId ?? '');
    return memoize((status: number) => (operation ? shapes.of(operation.responses, status) : shapes.most));
  });
  const makerFor = memoize((operationId: string | undefined) => {
    const own = make && ((error: ErrorFacts) => make(error, operationId));
    return memoize((status: number) => makerOf(shapeFor(operationId)(status), own));
  });

  const unfilled = model.operations.flatMap((operation): UnfilledError[] =>
    errorsOf(operation, model).flatMap(({ code, message, status }): UnfilledError[] => {
      const { id: operationId, responses } = operation;
      const response = responseFor(responses, status)?.status;
      if (response === undefined) return [];
      const makeBody = makerFor(operationId)(status);
      if (!makeBody) return [{ operation, response, status, violation: OTHERS }];
      // Without braces, which no URL has: a field may have the format uri-reference.
      const path = operation.path.replaceAll(/[{}]/g, '');
      const body = makeBody({ code, message, status, requestId: NO_REQUEST_ID, path });
      const violation = shapeFor(operationId)(status).violationOf(body);
      return violation === undefined ? [] : [{ operation, response, status, violation }];
    }),
  );

  const bodies: ErrorBodies = {
    of(operationId, { violations, ...error }) {
      const shape = shapeFor(operationId)(error.status);
      const placed = violations?.map((violation) =>
        placedIn(violation, model.operationOf.get(operationId ?? '')),
      );
      const body = makerFor(operationId)(error.status)?.({ ...error, ...(placed && { violations: placed }) });
      const type = shape.type === JSON_TYPE ? JSON_IN_UTF8 : shape.type;
      return { body: isJson(type) ? JSON.stringify(body) : String(body), type };
    },
  };
  return { bodies, unfilled };
}

/** A violation with its place in every form that contracts have for it. */
function placedIn(violation: FoundViolation, operation: Operation | undefined): Violation {
  const { parameter, pointer } = violation;
  const inside = stepsOf(pointer);
  if (parameter === undefined) return { ...violation, in: 'body', steps: inside };
  const isIt = ({ name }: { readonly name: string }) => name.toLowerCase() === parameter.toLowerCase();
  // Only parameters of the query are looked at without being declared.
  const place = operation?.parameters.find(isIt)?.in ?? 'query';
  return { ...violation, in: place, steps: [parameter, ...inside] };
}
