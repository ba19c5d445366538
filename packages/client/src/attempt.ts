import { operations } from '@petstore/contract';
import type { Client } from './client.ts';
import { deprecationOf, warnOnce } from './deprecation.ts';
import { PetstoreError, type ConnectionError } from './errors.ts';
import { notify } from './hooks.ts';
import { noResponse } from './no-reply.ts';
import type { PreparedCall } from './prepare.ts';
import { redact } from './redact.ts';
import { codeOf, isOfType, readReply, type AnyReply } from './reply.ts';
import { rateLimitOf, retryAfterOf } from './response-headers.ts';
import { startTimer, type Timer } from './timer.ts';

/** Sends a request that pacing has admitted, and reads its reply; an error in its place may pass, others are thrown. */
export async function attempt(client: Client, call: PreparedCall): Promise<AnyReply | ConnectionError> {
  const { operation, method, url } = call;
  const { clock, pacing, apiKey } = client;
  const event = { operation, attempt: ++call.attempts, method, url };
  const timer = startTimer(call.timeout, call.timer.signal);
  const sentAt = clock.now();
  try {
    void notify(client.onRequest, event);
    const response = await request(client, call, timer);

    const { status, headers } = response;
    const rateLimit = rateLimitOf(headers);
    const requestId = redact(headers.get('x-request-id') ?? '', apiKey) || undefined;
    void notify(client.onResponse, {
      ...event,
      status,
      requestId,
      rateLimit,
      duration: clock.now() - sentAt,
    });
    const deprecation = deprecationOf(operation, headers);
    if (deprecation) void notify(client.onDeprecation ?? warnOnce, deprecation);

    const wait = status === 429 ? pacing.pause() : retryAfterOf(headers, clock.now());
    const read = (content: string | Uint8Array | ReadableStream) =>
      readReply(operation, status, content, {
        requestId,
        rateLimit,
        retryAfter: wait > 0 ? Math.ceil(wait / 1000) : undefined,
        attempts: call.attempts,
        rawHeaders: headers,
      });
    const expected = operations[operation].successes[status];
    if (call.streamed && expected && response.body) return read(response.body);
    if (isOfType(expected, headers) && !expected?.startsWith('text/'))
      return read(new Uint8Array(await timer.race(response.arrayBuffer())));
    const text = await timer.race(response.text());
    let reply = read(text);
    // Data stays as it is. What is none may be a proxy's, which shows what it was sent.
    if (!reply.declared || !response.ok) reply = read(redact(text, apiKey));
    if (status === 429) pacing.refusalCode = codeOf(reply.body, status) ?? pacing.refusalCode;
    return reply;
  } catch (error) {
    if (error instanceof PetstoreError) throw error;
    call.signal?.throwIfAborted();
    return noResponse(client, call, timer.signal.aborted, error);
  } finally {
    timer.end();
  }
}

/** Sends the request, and counts it in with pacing, whatever becomes of it. Throws a PetstoreError if `fetch` is wrong. */
async function request(client: Client, call: PreparedCall, timer: Timer): Promise<Response> {
  const { operation, attempts, method, url, headers, body } = call;
  const otherTypes = Object.values(operations[operation].successes).filter((each) => each.includes('/'));
  let response: Response | undefined;
  try {
    const sent = new Request(url, {
      method,
      headers: {
        ...headers,
        accept: ['application/json', ...otherTypes].join(),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body }),
      // Following a redirect could take the key to another origin.
      redirect: 'manual',
      credentials: 'omit',
      signal: timer.signal,
    });
    const given: Partial<Response> | undefined = await timer.race((client.fetch ?? fetch)(sent));
    // What an injected fetch gives may be anything.
    const lacking = given?.headers?.get ? !given.text && 'text' : 'headers';
    if (lacking)
      throw new PetstoreError(`${operation}: the response that fetch gave lacks ${lacking}`, {
        operation,
        code: 'invalid_fetch',
        attempts,
      });
    return (response = given as Response);
  } finally {
    client.pacing.settle(response, timer.signal.aborted);
  }
}
