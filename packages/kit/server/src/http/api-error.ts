import type { ErrorBody } from '@kit/contract';
import { pipelineErrors } from '@kit/contract/pipeline-errors';
import { inSeconds } from '@kit/contract/windows';

type PipelineCode = keyof typeof pipelineErrors;

/** A failure of the pipeline's own, with its response. Its message is shown to the client; everything else that is thrown is not. */
export class ApiError extends Error {
  readonly code: PipelineCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: PipelineCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = pipelineErrors[code].status;
    this.headers = headers;
  }
}

const MAX_MESSAGE_LENGTH = 300;

/** Refuses a request for `fault`, in which there may be much of what was sent. */
export function invalidRequest(fault: string): ApiError {
  return new ApiError('invalid_request', `${fault.slice(0, MAX_MESSAGE_LENGTH)}.`);
}

/** The pipeline's own error with this code, in its own words. */
export function pipelineError(code: PipelineCode, headers?: Readonly<Record<string, string>>): ApiError {
  return new ApiError(code, pipelineErrors[code].message, headers);
}

export function serviceUnavailable(retryAfter = 1): ApiError {
  const message = `${pipelineErrors.service_unavailable.message} Retry in ${inSeconds(retryAfter)}.`;
  return new ApiError('service_unavailable', message, { 'Retry-After': String(retryAfter) });
}

/** The response of a handler that ends in an error. The contract says which codes come with which status. */
export function errorResponse<const Status extends number, const Code extends string>(
  status: Status,
  code: Code,
  message: string,
): { status: Status; body: ErrorBody<Code, Status> } {
  return { status, body: { code, message, status } };
}
