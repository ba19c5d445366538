import { context as tracing, propagation } from '@opentelemetry/api';
import { CallError, type Options } from '@contract-kit/client';
import { essenceOf } from '@contract-kit/core/http';
import { STREAM_TYPES } from '@contract-kit/core/model';
import type { Request } from 'express';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { contextOf } from '../pipeline/handler-context.ts';
import type { SendInProcess } from './in-process-requests.ts';

type Fetch = NonNullable<Options['fetch']>;

/** The origin of the addresses that `inProcessFetch` gets. It is not looked up. */
export const OWN_ORIGIN = 'http://localhost';

/** Of the request of MCP, in those of its tools (W3C Trace Context and Baggage). */
const PASSED_ON = ['user-agent', 'traceparent', 'tracestate', 'baggage'];

/** The largest response in bytes: most are held until the tool has its part of them. */
const MAX_RESPONSE = 4 * 2 ** 20;

/** Statuses without a body (Fetch §2.2.3). */
const BODILESS = new Set([204, 205, 304]);

/**
 * A `fetch` of the service itself, for the tools that `req` calls: with its address, request id, trace and signal, and only
 * the key that the client adds. `onSend` is called for each request.
 */
export function inProcessFetch(send: SendInProcess, req: Request, onSend: () => void): Fetch {
  const { address, requestId, signal: left } = contextOf(req);
  const { localAddress, localPort } = req.socket;
  const origin = { remoteAddress: address, localAddress, localPort, encrypted: req.secure };

  return async (url, init) => {
    onSend();
    const signal = AbortSignal.any([init.signal, left]);
    const request = new Request(url, init);
    const body = Buffer.from(await request.arrayBuffer());
    const { method } = request;
    const headers = { ...Object.fromEntries(request.headers), ...passedOn(req), 'x-request-id': requestId };
    const response = await send(
      {
        method,
        path: url.slice(OWN_ORIGIN.length),
        headers: {
          ...headers,
          host: req.headers.host ?? 'localhost',
          ...((request.body || body.length > 0) && { 'content-length': body.length }),
        },
        signal,
      },
      body,
      origin,
    );
    const status = response.statusCode ?? 0;
    const received = headersOf(response);
    const type = essenceOf(received.get('content-type') ?? '');
    // The tool reads no more of a stream than it can take.
    const bytes = limited(response, method);
    const content = STREAM_TYPES.includes(type) ? bytes : await new Response(bytes).arrayBuffer();
    return new Response(BODILESS.has(status) ? null : content, { status, headers: received });
  };
}

function passedOn({ headers }: Request): Record<string, string> {
  const passed = Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  ) as Record<string, string>;
  // With a tracer, its span of this request is the parent.
  propagation.inject(tracing.active(), passed);
  return passed;
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
  return headers;
}

/** The bytes of a response, up to the limit. A reader that cancels them closes the connection. */
function limited(response: IncomingMessage, method: string): ReadableStream<Uint8Array> {
  let length = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.length;
      if (length > MAX_RESPONSE) controller.error(tooLarge(method));
      else controller.enqueue(chunk);
    },
  });
  return (Readable.toWeb(response) as ReadableStream<Uint8Array>).pipeThrough(limit);
}

/** Of a GET nothing but the response is lost. */
function tooLarge(method: string): CallError {
  const message = `The response is larger than ${MAX_RESPONSE} bytes, the most for a tool. Ask for less, or call the API without this tool.`;
  return new CallError(message, { code: 'response_too_large', attempts: method === 'GET' ? 0 : 1 });
}
