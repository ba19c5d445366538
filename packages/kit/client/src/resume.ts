import type { ClientOperation } from './client-contract.ts';
import type { Outgoing } from './call-state.ts';
import { ConnectionError, failure, UnexpectedReplyError, type CallError } from './errors.ts';
import type { Position } from './event-stream.ts';
import { notify } from './notify.ts';
import type { AnyReply, StreamedReply } from './reply.ts';
import { startTimer } from './timer.ts';

/** Sends the request of a stream again, with these changes. Throws the error of a response that is no success. */
export type Again = (changes: Pick<Outgoing, 'headers' | 'options'>) => Promise<AnyReply>;

const LAST_EVENT_ID = 'last-event-id';

/** Whether streams can be resumed: the operation declares the header, and is safe to repeat (RFC 9110 §9.2.1). */
export function isResumable({ method, headers = [] }: ClientOperation): boolean {
  return /^(GET|QUERY)$/.test(method) && headers.some((name) => name.toLowerCase() === LAST_EVENT_ID);
}

/** Connects a stream again. It may take the budget of the call without anything arriving. */
export function createResumption(
  { call }: StreamedReply,
  position: Position,
  again: Again,
  signal: AbortSignal,
) {
  const { budget, clock, headers, options } = call;
  let lostAt: number | undefined;
  let attempts = 0;

  const left = (since: number) => since + budget - clock.now();

  async function connect(since: number): Promise<StreamedReply | undefined> {
    const { lastEventId } = position;
    const own = lastEventId === undefined ? {} : { [LAST_EVENT_ID]: headerText(lastEventId) || undefined };
    const limits = { maxAttempts: 1, budget: left(since) };
    const reply = await again({ headers: [...headers, own], options: { ...options, ...limits, signal } });
    const { about } = reply;
    if (about.status === 204) return undefined;
    if ('broken' in reply) return reply as StreamedReply;
    throw failure(UnexpectedReplyError, about, 'unexpected_reply', 'the response is not a stream');
  }

  return {
    /** Something has arrived. */
    reset() {
      lostAt = undefined;
      attempts = 0;
    },

    /** Connects to the events after the last one. Returns nothing if a 204 says that there are none (WHATWG HTML §9.2.3). */
    async resume(lost: CallError): Promise<StreamedReply | undefined> {
      lostAt ??= clock.now();
      for (let error = lost; ;) {
        // Clients of a server that was restarted do not come back all at once.
        const backoff = position.retry + Math.random() * Math.min(8000, 250 * 2 ** attempts++);
        const delay = Math.max(backoff, 1000 * (error.retryAfter ?? 0));
        if (delay > left(lostAt) - 1) throw error;
        const status = error instanceof ConnectionError ? undefined : error.status;
        notify(call, 'onRetry', () => ({ delay, status }));
        call.onWait(delay, 'retry');
        const timer = startTimer(left(lostAt), signal);
        await timer.race(clock.sleep(delay, timer.signal)).catch(() => {});
        timer.end();
        try {
          return await connect(lostAt);
        } catch (thrown) {
          error = thrown as CallError;
          if (error.status === 204) return undefined;
          if (!(error instanceof ConnectionError || /^(408|429|50[0234])$/.test(`${error.status}`)))
            throw error;
        }
      }
    },
  };
}

/** A text as its UTF-8 bytes, as which browsers send it too. */
function headerText(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
