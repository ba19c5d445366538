import { pipelineErrors } from '@petstore/contract/pipeline-errors';
import { inSeconds } from '@petstore/contract/service';
import { errorCodes, type ErrorCode, type KnownErrorBody } from '@petstore/contract';

/** A failure with a reply of its own. Its message is shown to the client; everything else that is thrown is not. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    // Expected error: skip the stack trace, nobody reads it.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'ApiError';
    this.code = code;
    this.status = errorCodes[code];
    this.headers = headers;
  }
}

const MAX_MESSAGE_LENGTH = 300;

/** Refuses a request for `fault`, in which there may be much of what was sent. */
export function invalidRequest(fault: string): ApiError {
  return new ApiError('invalid_request', `${fault.slice(0, MAX_MESSAGE_LENGTH)}.`);
}

/** The pipeline's own error with this code, in its own words. */
export function pipelineError(
  code: keyof typeof pipelineErrors,
  headers?: Readonly<Record<string, string>>,
): ApiError {
  return new ApiError(code, pipelineErrors[code].message, headers);
}

export function serviceUnavailable(retryAfter = 1): ApiError {
  const message = `${pipelineErrors.service_unavailable.message} Retry in ${inSeconds(retryAfter)}.`;
  return new ApiError('service_unavailable', message, { 'Retry-After': String(retryAfter) });
}

/** The reply of a handler that ends in an error: the status of `code`, and the Error object. */
export function errorReply<Code extends ErrorCode>(
  code: Code,
  message: string,
): { status: (typeof errorCodes)[Code]; body: KnownErrorBody<Code> } {
  return { status: errorCodes[code], body: { code, message, status: errorCodes[code] } };
}
