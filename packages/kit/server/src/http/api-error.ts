import type { ErrorBody } from '@contract-kit/core';
import { type Violation, pipelineErrors } from '@contract-kit/core/errors';
import { inSeconds } from '@contract-kit/core/limits';

type PipelineCode = keyof typeof pipelineErrors;

/** A violation as a validator finds it. */
export type FoundViolation = Pick<Violation, 'pointer' | 'message' | 'parameter'>;

/** An error of the pipeline, with its response. Clients see its message, unlike that of other errors. */
export class ApiError extends Error {
  readonly code: PipelineCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Everything that is wrong with an invalid body or parameter, the first one first. */
  readonly violations: readonly FoundViolation[];

  constructor(
    code: PipelineCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    violations: readonly FoundViolation[] = [],
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = pipelineErrors[code].status;
    this.headers = headers;
    this.violations = violations;
  }
}

const MAX_MESSAGE_LENGTH = 300;

/** Rejects a request for `fault`, which may quote much of the request. */
export function invalidRequest(fault: string, violations?: readonly FoundViolation[]): ApiError {
  return new ApiError('invalid_request', `${fault.slice(0, MAX_MESSAGE_LENGTH)}.`, {}, violations);
}

/** The pipeline's error with this code and its standard message. */
export function pipelineError(code: PipelineCode, headers?: Readonly<Record<string, string>>): ApiError {
  return new ApiError(code, pipelineErrors[code].message, headers);
}

export function serviceUnavailable(retryAfter = 1): ApiError {
  const message = `${pipelineErrors.service_unavailable.message} Retry in ${inSeconds(retryAfter)}.`;
  return new ApiError('service_unavailable', message, { 'Retry-After': String(retryAfter) });
}

/** The error response of a handler. The contract declares the codes of each status. */
export function errorResponse<const Status extends number, const Code extends string>(
  status: Status,
  code: Code,
  message: string,
): { status: Status; body: ErrorBody<Code, Status> } {
  return { status, body: { code, message, status } };
}
