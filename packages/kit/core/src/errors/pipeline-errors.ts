export interface PipelineError {
  readonly status: number;
  /** What a response says, unless the pipeline knows more. */
  readonly message: string;
  /** What it means for callers, as contracts describe it; the message by default. */
  readonly meaning?: string;
  /** Whether it can occur in any operation, which therefore declares it. */
  readonly replaces?: true;
  /** Whether a contract need not declare it: few services send it. */
  readonly optional?: true;
}

/** The errors that the pipeline makes. A contract declares the code and status of each, unless it is optional. */
export const pipelineErrors = {
  invalid_request: {
    status: 400,
    message: 'The request is not valid HTTP/1.1 (RFC 9112).',
    meaning:
      'The request is not valid: a parameter or the body does not fit, or it cannot be read. The message says what is wrong.',
    replaces: true,
  },
  unauthorized: {
    status: 401,
    message: 'The API key is missing.',
    meaning: 'The API key is missing or not valid.',
    replaces: true,
  },
  insufficient_scope: {
    status: 403,
    message: 'The API key lacks a scope that this operation requires.',
    replaces: true,
    optional: true,
  },
  cross_origin_request: {
    status: 403,
    message:
      'Pages of this origin may not make the request: browsers add cookies to it. CORS_ORIGINS has the origins whose pages may.',
    meaning: 'A page of another origin may not make the request, because browsers add cookies to it.',
    replaces: true,
    optional: true,
  },
  not_found: { status: 404, message: 'There is nothing at this path.' },
  method_not_allowed: { status: 405, message: 'The method is not allowed here.' },
  request_timeout: { status: 408, message: 'The request did not arrive completely in time.' },
  idempotency_key_in_use: {
    status: 409,
    message: 'The first request with this Idempotency-Key is under way.',
    replaces: true,
    optional: true,
  },
  idempotency_response_missing: {
    status: 409,
    message:
      'The response to the first request with this Idempotency-Key was not kept. Find out whether it took effect before you send another key.',
    replaces: true,
    optional: true,
  },
  payload_too_large: {
    status: 413,
    message: 'The body is too large.',
    meaning: 'The body is larger than the operation takes.',
    replaces: true,
    optional: true,
  },
  unsupported_media_type: {
    status: 415,
    message: 'The body must be application/json, and not encoded.',
    meaning: 'The operation does not take the media type of the body, or an encoded body.',
    replaces: true,
  },
  expectation_failed: { status: 417, message: 'Only `Expect: 100-continue` is supported.' },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was sent with another request. Use a new one.',
    replaces: true,
    optional: true,
  },
  rate_limit_exceeded: {
    status: 429,
    message: 'The rate limit is used up.',
    meaning: 'The caller has used up its rate limit. Retry-After has the seconds to wait.',
    replaces: true,
  },
  api_key_banned: {
    status: 429,
    message: 'The API key is temporarily banned.',
    meaning: 'The API key is banned for a while: it kept sending requests after 429 responses.',
  },
  request_header_fields_too_large: { status: 431, message: 'The request line and headers are too large.' },
  internal_error: {
    status: 500,
    message: 'The server failed. Quote the X-Request-Id to support.',
    replaces: true,
  },
  not_implemented: { status: 501, message: 'The operation is not implemented yet.', optional: true },
  service_unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable.',
    meaning: 'The service is temporarily unavailable. Retry-After has the seconds to wait.',
    replaces: true,
  },
} as const satisfies Readonly<Record<string, PipelineError>>;

/** What an error means for callers. */
export function meaningOfError(code: keyof typeof pipelineErrors): string {
  const { message, meaning = message }: PipelineError = pipelineErrors[code];
  return meaning;
}
