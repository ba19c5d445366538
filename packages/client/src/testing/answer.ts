import { errorCodes, type ErrorCode } from '@petstore/contract';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or text where there is a Content-Type. */
  readonly body?: unknown;
}

/** The Error object with the status of its code, and the headers that the contract asks for with that. */
export function refuse(code: ErrorCode, message: string, headers: Record<string, string> = {}): Answer {
  const status = errorCodes[code];
  const required: Record<string, string> =
    status === 401
      ? { 'WWW-Authenticate': 'Bearer realm="petstore"' }
      : status === 429 || status === 503
        ? { 'Retry-After': '1' }
        : {};
  return { status, headers: { ...required, ...headers }, body: { code, message, status } };
}

export function toResponse({ status, headers, body }: Answer, method: string): Response {
  const isText = headers && 'Content-Type' in headers;
  const content = isText ? (body as string) : JSON.stringify(body);
  const type = content !== undefined && { 'Content-Type': 'application/json; charset=utf-8' };
  const init = { status, headers: { ...type, ...headers } };
  const sent = method === 'HEAD' ? null : (content ?? null);
  if (globalThis.Response) return new Response(sent, init);
  // jsdom has none: what the client asks for is enough.
  return { status, headers: new Headers(init.headers), text: () => Promise.resolve(sent ?? '') } as Response;
}
