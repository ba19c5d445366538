import { contentOf, headOf, type Head } from './answer.ts';
import { deprecationOf } from './deprecation.ts';
import {
  failure,
  InexactIntegerError,
  PetstoreError,
  UnexpectedReplyError,
  type ConnectionError,
} from './errors.ts';
import { notify } from './notify.ts';
import { noReply } from './no-reply.ts';
import type { PreparedCall } from './prepare.ts';
import { redactHeaders } from './redact.ts';
import {
  codeOf,
  detailsOf,
  expectedOf,
  INEXACT,
  parse,
  type AnyReply,
  type Content,
  type StreamedReply,
} from './reply.ts';
import { requestOf } from './request.ts';
import { header, retryAfterOf } from './response-headers.ts';
import { startTimer, type Timer } from './timer.ts';
import type { RateLimit } from './types.ts';

const UNREADABLE = 'the response is no UTF-8, or over 256 MiB';
const UNDECLARED: Content = { declared: false, body: undefined };

/** Sends a request that the session has admitted, and reads its reply; an error in its place may pass, others are thrown. */
export async function attempt(call: PreparedCall): Promise<AnyReply | ConnectionError> {
  const { about, session, signal, timeout, left } = call;
  let timer: Timer | undefined;
  about.attempts++;
  try {
    let head: Head | undefined;
    let rateLimit: RateLimit | undefined;
    try {
      timer = startTimer(Math.min(timeout, left()), signal);
      head = await timer.race(send(call, timer.signal));
    } finally {
      rateLimit = session.settle(head, timer?.signal.aborted);
    }
    return await timer.race(receive(call, head, rateLimit));
  } catch (error) {
    if (error instanceof PetstoreError) throw error;
    if (signal?.aborted) throw signal.reason;
    return noReply(call, timer?.signal.aborted, error);
  } finally {
    timer?.end();
  }
}

async function send(call: PreparedCall, signal: AbortSignal): Promise<Head> {
  const request = await requestOf(call, signal);
  // A double may not look at it.
  if (signal.aborted) throw signal.reason;
  notify(call, 'request');
  call.sentAt = call.clock.now();
  return headOf((await (call.fetch ?? fetch)(...request)) as Response, call);
}

async function receive(
  call: PreparedCall,
  head: Head,
  rateLimit: RateLimit | undefined,
): Promise<AnyReply | StreamedReply> {
  const { about, clock, definition, hide, sentAt, session, streamed } = call;
  const { status, headers } = head;
  const wait = status === 429 ? session.pause() : retryAfterOf(headers, clock.now());
  // To spread `about` into it would take a tenth of a call.
  const tell = (rawHeaders: Headers, { declared, body }: Content): AnyReply => ({
    operation: about.operation,
    method: about.method,
    url: about.url,
    attempts: about.attempts,
    status,
    requestId: header(rawHeaders, 'x-request-id'),
    rateLimit,
    retryAfter: Math.ceil(wait / 1000) || undefined,
    rawHeaders,
    declared,
    body,
  });
  // Data stays as it is. What is none may be a proxy's, which shows what it was sent.
  const safe = (content: Content) => tell(redactHeaders(headers, hide), content);
  const details = () => detailsOf(safe(UNDECLARED));

  notify(call, 'onResponse', () => ({ ...details(), duration: clock.now() - sentAt }));
  const deprecation = deprecationOf(headers);
  if (deprecation) notify(call, 'onDeprecation', () => deprecation);

  const expected = expectedOf(definition, status);
  const isOther = expected?.includes('/') && headers.get('content-type')?.split(';', 1)[0] === expected;
  const isStream = streamed && expected && head.body?.getReader;
  const body = isStream
    ? head.body
    : await contentOf(head, !!isOther && !/^text/.test(`${expected}`), !!expected);
  if (body === undefined) throw failure(UnexpectedReplyError, details(), 'unexpected_reply', UNREADABLE);
  const text = body as string;
  const content = isOther || isStream ? { declared: true, body } : parse(definition, status, text);
  if (content.isInexact) throw failure(InexactIntegerError, details(), 'inexact_integer', INEXACT);
  if (!content.declared || status >= 400) {
    const hidden = parse(definition, status, hide(text), hide);
    if (status === 429) session.refusalCode = codeOf(hidden.body, status) ?? session.refusalCode;
    return safe(hidden);
  }
  const reply = tell(headers, content);
  if (!streamed) return reply;
  const known = details();
  return { ...reply, details: known, broken: (thrown) => noReply(call, false, thrown, known) };
}
