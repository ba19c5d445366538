import { bytesOf, textOf } from './body.ts';
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
  INEXACT,
  parse,
  type AnyReply,
  type Content,
  type StreamedReply,
} from './reply.ts';
import { requestOf } from './request.ts';
import { header, retryAfterOf } from './response-headers.ts';
import { startTimer } from './timer.ts';
import type { RateLimit } from './types.ts';

const UNREADABLE = 'the response is not UTF-8, or longer than 256 MiB';

/** Sends a request that the session has admitted, and reads its response. Returns an error if another attempt may help. */
export async function attempt(call: PreparedCall): Promise<AnyReply | ConnectionError> {
  const { about, session, signal, timeout, left } = call;
  const rest = left();
  const timer = startTimer(Math.min(timeout, rest), signal);
  about.attempts++;
  try {
    let response: Response | undefined;
    let rateLimit: RateLimit | undefined;
    try {
      response = await timer.race(send(call, timer.signal));
    } finally {
      rateLimit = session.settle(response);
    }
    return await timer.race(receive(call, response, rateLimit));
  } catch (error) {
    if (error instanceof PetstoreError) throw error;
    if (signal?.aborted) throw signal.reason;
    return noReply(call, timer.signal.aborted ? (rest > timeout ? 'timeout' : 'budget') : undefined, error);
  } finally {
    timer.end();
  }
}

async function send(call: PreparedCall, signal: AbortSignal): Promise<Response> {
  const request = await requestOf(call, signal);
  // An injected fetch may not look at the signal.
  if (signal.aborted) throw signal.reason;
  notify(call, 'request');
  call.sentAt = call.clock.now();
  const response = await (call.fetch ?? fetch)(...request);
  if (!response?.headers) throw new TypeError('it must return a Response');
  if (response.bodyUsed) throw new TypeError('its Response was read before: return a new one for each call');
  return response;
}

async function receive(
  call: PreparedCall,
  response: Response,
  rateLimit: RateLimit | undefined,
): Promise<AnyReply | StreamedReply> {
  const { about, clock, definition, hide, sentAt, session } = call;
  const { status, headers } = response;
  const wait = status === 429 ? session.pause() : retryAfterOf(headers, clock.now());
  const tell = (rawHeaders: Headers, { declared, body }: Content): AnyReply => ({
    ...about,
    status,
    requestId: header(rawHeaders, 'x-request-id'),
    rateLimit,
    retryAfter: Math.ceil(wait / 1000) || undefined,
    rawHeaders,
    declared,
    body,
  });
  // A proxy may respond with what it was sent. Data stays as it is.
  const safe = (content: Content) => tell(redactHeaders(headers, hide), content);
  const details = () => detailsOf(safe({ declared: false, body: undefined }));

  notify(call, 'onResponse', () => ({ ...details(), duration: clock.now() - sentAt }));
  const deprecation = deprecationOf(headers);
  if (deprecation) notify(call, 'onDeprecation', () => deprecation);

  const expected = definition.responseTypes[status];
  if (call.streamed && expected && response.body) {
    const known = details();
    const broken = (thrown: unknown) => noReply(call, undefined, thrown, known);
    return { ...tell(headers, { declared: true, body: response.body }), details: known, broken };
  }

  const bytes = await bytesOf(response);
  const type = headers.get('content-type')?.split(';', 1)[0];
  const isOther = expected !== undefined && expected.includes('/') && type === expected;
  const body = bytes && isOther && !expected.startsWith('text/') ? bytes : bytes && textOf(bytes, !!expected);
  if (body === undefined) throw failure(UnexpectedReplyError, details(), 'unexpected_reply', UNREADABLE);
  if (isOther) return tell(headers, { declared: true, body });
  const text = body as string;
  const content = parse(definition, status, text);
  if (content.isInexact) throw failure(InexactIntegerError, details(), 'inexact_integer', INEXACT);
  if (content.declared && status < 400) return tell(headers, content);
  const hidden = parse(definition, status, hide(text), hide);
  if (status === 429) session.refusalCode = codeOf(hidden.body, status) ?? session.refusalCode;
  return safe(hidden);
}
