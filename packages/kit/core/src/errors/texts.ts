/*
 * What the pipeline's errors say where they know more than the message of their code in pipeline-errors.ts. Those of 429 are
 * in limits/windows.ts, which the fake counts with too. A text without a full stop may go on: `invalidRequest` ends it.
 */

/** What messages call a key, if the contract does not call it a token. */
const API_KEY: string = 'API key';

// invalid_request, 400: the message itself.

export const ONE_HOST = 'The request must have exactly one Host header.';
export const HOST_FORM = 'The Host header must be a host and a port (RFC 9110 §7.2).';
export const HTTP_VERSION = 'The request must be HTTP/1.1, or HTTP/1.0 without chunks.';
export const ONLY_CHUNKED = 'The only supported Transfer-Encoding is chunked.';
export const ONE_CONTENT_TYPE = 'The request must have at most one Content-Type header.';
export const INCOMPLETE = 'The request is incomplete.';
export const UNKNOWN_HOST =
  'The Host of this request is not known here. Use an IP address, the name of this machine, or the host of PUBLIC_URL or HOST.';

/** For a part of a request that cannot be decoded. */
export const malformed = (where: 'path' | 'query' | 'body'): string =>
  `The ${where} is not percent-encoded correctly (RFC 3986 §2.1).`;

/** `what` is called API key or token. */
export const moreThanOne = (what: string): string => `The request has more than one ${what}.`;

// invalid_request, 400: parameters.

export const unknownParameter = (name: string): string => `Unknown query parameter '${name}'`;
export const takesNoValue = (name: string): string => `The query parameter '${name}' takes no value`;

// invalid_request, 400: bodies.

export const NO_CONTENT_TYPE = 'The Content-Type is missing';
export const NO_BODY = 'The body is missing';
export const NOT_JSON = 'The body must be valid JSON';
export const NOT_UTF8 = 'The body must be text in UTF-8';
export const NOT_IN_CHARSET = 'The body must be text in UTF-8, or in its charset';
export const NOT_JSON_IN_UTF8 = 'The body must be JSON in UTF-8';
export const NOT_ONE_MESSAGE = 'The body must be one JSON-RPC message';
export const HAS_NUL = 'The request has a text with U+0000, which cannot be stored: remove it';
export const TOO_MANY_VALUES =
  'The request has more values than can be checked: send fewer, or nest them less';

export const tooDeep = (levels: string): string => `JSON ${levels}`;
export const wouldBeRounded = (number: string): string => `The number ${number} would be rounded`;
export const sentTwice = (field: string): string => `${field} is sent twice`;
export const notInCharsetOfPart = (field: string): string =>
  `${field} must be text in UTF-8, or in the charset of its part`;
export const longFieldName = (bytes: number): string =>
  `The name of a field must have at most ${bytes} bytes`;
export const tooManyFields = (fields: number): string => `A form must have at most ${fields} fields`;
export const invalidForm = (fault: string): string => `The body must be a valid form: ${fault}`;

// unauthorized, 401.

/** For a request without a key; `forms` tell what to send, as `formOf` writes it. */
export const missingKey = (forms: string, word = API_KEY): string =>
  `The ${word} is missing: send it as ${forms}.`;

/** For a key that nobody has. */
export const invalidKey = (word = API_KEY): string =>
  `The ${word} is invalid: unknown${word === API_KEY ? '' : ', expired'} or revoked.`;

export const EXPIRED_TOKEN = 'The token has expired.';

// insufficient_scope, 403.

export const missingScope = (word: string, scope: string): string =>
  `The ${word} lacks a scope that this operation requires: ${scope}.`;

// method_not_allowed, 405.

/** It names what RFC 9110 §15.5.6 wants in `Allow`. */
export const methodNotAllowed = (method: string, allow: string): string =>
  `${method} is not allowed here. Allowed: ${allow}.`;

export const CONNECT_NOT_ALLOWED = 'CONNECT is not allowed here.';

// payload_too_large, 413; invalid_request, 400, where nothing reads the body.

export const bodyTooLarge = (bytes: number): string => `The body must have at most ${bytes} bytes.`;

// unsupported_media_type, 415.

export const otherMediaType = (types: string): string => `The body must be ${types}, and not encoded.`;
