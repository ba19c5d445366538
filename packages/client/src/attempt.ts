import { contentOf, headOf, type Head } from './answer.ts';
import type { Client } from './client.ts';
import { deprecationOf } from './deprecation.ts';
import { failure, PetstoreError, UnexpectedReplyError, type ConnectionError } from './errors.ts';
import { notify } from './notify.ts';
import { noReply } from './no-reply.ts';
import type { PreparedCall } from './prepare.ts';
import { redactHeaders } from './redact.ts';
import {
  codeOf,
  detailsOf,
  expectedOf,
  isOfType,
  readReply,
  type AnyReply,
  type StreamedReply,
} from './reply.ts';
import { requestOf } from './request.ts';
import { header, retryAfterOf } from './response-headers.ts';
import { startTimer, type Timer } from './timer.ts';
import type { RateLimit, ReplyBase } from './types.ts';

const UNREADABLE = 'the response is no UTF-8, is longer than 256 MiB, or has no end';

/** Sends a request that pacing has admitted, and reads its reply; an error in its place may pass, others are thrown. */
export async function attempt(client: Client, call: PreparedCall): Promise<AnyReply | ConnectionError> {
  const { pacing } = client.session;
  const { signal } = call.options;
  let timer: Timer | undefined;
  call.about.attempts++;
  try {
    let head: Head | undefined;
    let rateLimit: RateLimit | undefined;
    try {
      timer = startTimer(Math.min(call.timeout, call.left()), signal);
      head = await timer.race(send(client, call, timer.signal));
    } finally {
      rateLimit = pacing.settle(head, !!timer?.signal.aborted);
    }
    return await timer.race(receive(client, call, head, rateLimit));
  } catch (error) {
    if (error instanceof PetstoreError) throw error;
    if (signal?.aborted) throw signal.reason;
    return noReply(client, call, !!timer?.signal.aborted, error);
  } finally {
    timer?.end();
  }
}

async function send(client: Client, call: PreparedCall, signal: AbortSignal): Promise<Head> {
  const request = await requestOf(client, call, signal);
  notify(client, 'request', call);
  call.sentAt = client.clock.now();
  return headOf((await (client.fetch ?? fetch)(...request)) as Response, call);
}

async function receive(
  client: Client,
  call: PreparedCall,
  { response, status, headers, body: unread }: Head,
  rateLimit: RateLimit | undefined,
): Promise<AnyReply | StreamedReply> {
  const { about, definition } = call;
  const { operation, method, url, attempts } = about;
  const { pacing } = client.session;
  // Not every jsdom can decode one.
  const body = globalThis.TextDecoder && unread;
  const wait = status === 429 ? pacing.pause() : retryAfterOf(headers, client.clock.now());
  const base: ReplyBase = {
    operation,
    method,
    url,
    attempts,
    status,
    requestId: header(headers, 'x-request-id'),
    rateLimit,
    retryAfter: Math.ceil(wait / 1000) || undefined,
    rawHeaders: headers,
  };
  // Data stays as it is. What is none may be a proxy's, which shows what it was sent.
  const safe = (): ReplyBase => {
    const rawHeaders = redactHeaders(headers, call.hide);
    return { ...base, rawHeaders, requestId: header(rawHeaders, 'x-request-id') };
  };
  notify(client, 'onResponse', call, () => {
    const { requestId, rawHeaders } = safe();
    return { status, requestId, rateLimit, duration: client.clock.now() - call.sentAt, headers: rawHeaders };
  });
  const deprecation = deprecationOf(headers);
  if (deprecation) notify(client, 'onDeprecation', call, () => deprecation);

  const expected = expectedOf(definition, status);
  const details = call.streamed && detailsOf(safe());
  const isBinary = isOfType(expected, headers) && !expected?.startsWith('text/');
  const content =
    details && expected && body?.getReader ? body : await contentOf(response, body, isBinary, !!expected);
  if (content === undefined)
    throw failure(UnexpectedReplyError, detailsOf(safe()), 'unexpected_reply', UNREADABLE);
  const reply = readReply(definition, base, content, safe);
  if (status === 429) pacing.refusalCode = codeOf(reply.body, status) ?? pacing.refusalCode;
  if (!reply.declared || status >= 400)
    return readReply(definition, safe(), call.hide(`${content as string}`), safe, call.hide);
  if (!details) return reply;
  return { ...reply, details, broken: (thrown) => noReply(client, call, false, thrown, details) };
}
