import { contentOf, headOf } from './answer.ts';
import type { Client } from './client.ts';
import { deprecationOf } from './deprecation.ts';
import { failure, PetstoreError, UnexpectedReplyError, type ConnectionError } from './errors.ts';
import { notify } from './notify.ts';
import { noReply } from './no-reply.ts';
import type { PreparedCall } from './prepare.ts';
import type { Answer } from './quota.ts';
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
  const { signal } = call.options;
  let timer: Timer | undefined;
  let isCounted = false;
  const countIn: CountIn = (answer) => {
    if (isCounted) return;
    isCounted = true;
    return client.session.pacing.settle(answer, !!timer?.signal.aborted);
  };
  call.about.attempts++;
  try {
    timer = startTimer(Math.min(call.timeout, call.left()), signal);
    return await timer.race(exchange(client, call, timer.signal, countIn));
  } catch (error) {
    if (error instanceof PetstoreError) throw error;
    if (signal?.aborted) throw signal.reason;
    return noReply(client, call, !!timer?.signal.aborted, error);
  } finally {
    countIn();
    timer?.end();
  }
}

/** Counts the request in, once; gives what its response tells of the quota. */
type CountIn = (answer?: Answer) => RateLimit | undefined;

async function exchange(
  client: Client,
  call: PreparedCall,
  signal: AbortSignal,
  countIn: CountIn,
): Promise<AnyReply | StreamedReply> {
  const { clock, session } = client;
  const { about, definition } = call;

  const request = await requestOf(client, call, signal);
  const { operation, method, url, attempts } = about;
  notify(client, 'request', call);
  const sentAt = clock.now();
  const response = (await (client.fetch ?? fetch)(...request)) as Response;

  const answer = headOf(response, call);
  const rateLimit = countIn(answer);
  const { status, headers } = answer;
  // Not every jsdom can decode one.
  const body = globalThis.TextDecoder && answer.body;
  const { pacing } = session;
  const wait = status === 429 ? pacing.pause() : retryAfterOf(headers, clock.now());
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
    return { status, requestId, rateLimit, duration: clock.now() - sentAt, headers: rawHeaders };
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
