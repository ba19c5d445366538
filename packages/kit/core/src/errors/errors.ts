import { hasScopes, isOpen, refusesOtherSites, type Model, type Operation } from '../model/index.ts';
import { pipelineErrors, type PipelineError } from './pipeline-errors.ts';

/* The errors of the pipeline, as one operation sends them. */

/** An error that the pipeline may send instead of the handler of an operation. */
export interface OperationError {
  /** Its key in `pipelineErrors`. */
  readonly code: string;
  readonly message: string;
  /** Its status in `pipelineErrors`. */
  readonly usual: number;
  /** Its status for this operation. */
  readonly status: number;
  /** Whether a contract need not declare it. */
  readonly isOptional: boolean;
}

/**
 * Every error that the pipeline may send instead of the operation's handler. Others are sent before the operation is known,
 * such as 431, or with an unfinished handler (501).
 */
export function errorsOf(operation: Operation, model: Pick<Model, 'hasPlans' | 'schemes'>): OperationError[] {
  const { body, idempotencyKey } = operation;
  const isRepeatable = idempotencyKey !== undefined;
  const isPossible: Readonly<Partial<Record<string, boolean>>> = {
    unauthorized: !isOpen(operation),
    insufficient_scope: hasScopes(operation),
    cross_origin_request: refusesOtherSites(operation, model),
    idempotency_key_in_use: isRepeatable,
    idempotency_response_missing: isRepeatable,
    payload_too_large: body !== undefined,
    unsupported_media_type: body !== undefined,
    idempotency_key_reused: isRepeatable,
    // Without plans, only invalid keys are counted.
    rate_limit_exceeded: model.hasPlans || !isOpen(operation),
  } satisfies Partial<Record<keyof typeof pipelineErrors, boolean>>;
  return Object.entries<PipelineError>(pipelineErrors).flatMap(
    ([code, { status: usual, message, replaces, optional = false }]) =>
      replaces && (isPossible[code] ?? true)
        ? [{ code, message, usual, status: statusFor(usual, operation), isOptional: optional }]
        : [],
  );
}

/** The status of an error of the pipeline for an operation. */
export function statusFor(usual: number, operation: Pick<Operation, 'responses'>): number {
  return usual === pipelineErrors.invalid_request.status ? invalidStatusOf(operation) : usual;
}

/**
 * The status of an invalid request: 422 if the operation declares it and not 400, as many frameworks do (RFC 9110 §15.5.21),
 * unless the codes of 422 say that it is for something else. `default` and ranges do not count: 422 is more specific.
 */
export function invalidStatusOf({ responses }: Pick<Operation, 'responses'>): number {
  const [usual, other] = ['400', '422'].map((status) => responses.find((item) => item.status === status));
  const isForThis = other?.codes?.includes('invalid_request') ?? true;
  return other && !usual && isForThis ? 422 : 400;
}
