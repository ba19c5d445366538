import type { IncomingMessage } from 'node:http';
import { errorTexts } from '@contract-kit/core/errors';
import { ApiError, pipelineError } from './api-error.ts';
import { headerValues } from './headers.ts';

/** The connection is closed, because the next bytes on it are ambiguous. */
const CLOSE = { Connection: 'close' };

/** RFC 3986 §3.2.2 and §3.2.3: a name, an IPv4 address or a bracketed IPv6 address, and an optional port. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-fA-F:.]+\])(?::\d*)?$/;

/** The fault of a request that Node's parser accepts; undefined if it is valid HTTP. */
export function checkHttpMessage(req: IncomingMessage): ApiError | undefined {
  // RFC 9112 §3.2: an HTTP/1.1 request has exactly one Host, and a server answers any other number with 400.
  const hosts = headerValues(req, 'host').length;
  if (hosts > 1 || (hosts === 0 && req.httpVersion === '1.1')) {
    return rejection(errorTexts.ONE_HOST);
  }
  const { expect, host, 'content-type': contentType, 'transfer-encoding': encoding } = req.headers;
  if (host !== undefined && !HOST.test(host)) {
    return rejection(errorTexts.HOST_FORM);
  }
  // Node also accepts HTTP/0.9 and HTTP/2.0 in a request line. RFC 9112 §6.1: HTTP/1.0 has no Transfer-Encoding.
  if (req.httpVersion !== '1.1' && (req.httpVersion !== '1.0' || encoding !== undefined)) {
    return rejection(errorTexts.HTTP_VERSION);
  }
  // RFC 9112 §6.3: without chunked as the last coding the body has no end. Node decodes only chunked, and passes on such a
  // request before it rejects it, or as if it were only chunked.
  if (encoding !== undefined && !/^chunked$/i.test(encoding)) {
    return rejection(errorTexts.ONLY_CHUNKED);
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return pipelineError('expectation_failed', CLOSE);
  }
  // RFC 9110 §8.3: Node keeps the first, other implementations the last.
  if (contentType !== undefined && headerValues(req, 'content-type').length > 1) {
    return new ApiError('invalid_request', errorTexts.ONE_CONTENT_TYPE);
  }
  return undefined;
}

/** The fault of a path that cannot be decoded. */
export function checkPath(path: string): ApiError | undefined {
  if (!path.includes('%')) return undefined;
  try {
    decodeURIComponent(path);
    return undefined;
  } catch {
    return new ApiError('invalid_request', errorTexts.malformed('path'));
  }
}

function rejection(message: string): ApiError {
  return new ApiError('invalid_request', message, CLOSE);
}
