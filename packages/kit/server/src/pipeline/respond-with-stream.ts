import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { itemText, type StreamForm } from '@contract-kit/core/http';
import type { Request, Response } from 'express';
import { serviceUnavailable, type ApiError } from '../http/api-error.ts';
import { abortSignal } from './handler-context.ts';
import { requestContextOf, type Outgoing, type RequestContext } from './request-context.ts';

/**
 * How long the head waits for the first item, in milliseconds: an error before it gets an error response, and `open` of an
 * EventSource needs the head.
 */
const FIRST_ITEM = 500;
/** A comment, which readers ignore (WHATWG HTML §9.2.7). */
const HEARTBEAT = ':\n\n';

/** The last bytes of events that the server ends early: clients come back after a second. Without it, they are complete. */
const COME_BACK = 'retry: 1000\n\n';

/** How often an idle stream of events gets a comment, in milliseconds (WHATWG HTML §9.2.7). Proxies cut idle responses. */
const HEARTBEAT_INTERVAL = 15_000;
/** How long a stop waits for the end of an iterator, in milliseconds. */
const CLOSING = 1_000;
/** For nginx, which would otherwise collect items. */
const UNBUFFERED = { 'X-Accel-Buffering': 'no' };

type Head = Pick<Outgoing, 'status' | 'head'>;
type Items = AsyncIterator<unknown, unknown>;

/** A response, with the method that `compression` adds to it. */
type Flushable = Response & { readonly flush?: () => void };

/**
 * Sends items at the reader's speed: asks for the next one when the socket has taken the last one. Closes the iterator
 * when the client leaves, an item cannot be sent, the service stops, or the caller may no longer read. Rejects if the
 * iterator does; and with an ApiError: 503 if there are too many streams or if a stop interrupts lines, which must not look
 * complete, and the reason if the caller may not read lines any more.
 */
export async function respondWithStream(
  req: Request,
  res: Flushable,
  { status, head }: Head,
  stream: { readonly items: AsyncIterable<unknown>; readonly form: StreamForm },
): Promise<void> {
  const items: Items = stream.items[Symbol.asyncIterator]();
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= returnOf(items, requestContextOf(req)));
  const outgoing = { status, head: Object.assign(head, UNBUFFERED) };
  let isDone = false;
  try {
    if (req.method === 'HEAD') res.writeHead(status, outgoing.head).end();
    else isDone = await sendItems(req, res, outgoing, { items, form: stream.form, close });
  } finally {
    if (!isDone) void close();
  }
}

/** Resolves to whether the iterator is done. */
async function sendItems(
  req: Request,
  res: Flushable,
  { status, head }: Head,
  {
    items,
    form,
    close,
  }: { readonly items: Items; readonly form: StreamForm; readonly close: () => Promise<void> },
): Promise<boolean> {
  const context = requestContextOf(req);
  const wait = waitFor(res);
  let isStopping = false;
  const leave = context.app.streams.open(context.caller, () => {
    isStopping = true;
    abortSignal(context);
    // A reader of events comes back by itself.
    if (form.kind === 'events') wait.end();
  });
  let forbidden: ApiError | undefined;
  context.interrupt = (why) => {
    forbidden = why;
    abortSignal(context);
    wait.end();
  };
  if (context.endedBy) context.interrupt(context.endedBy);
  const write = (text: string) => {
    const isTaken = res.write(text);
    res.flush?.();
    return isTaken;
  };
  let heartbeat: NodeJS.Timeout | undefined;
  const textOfNext = ({ value }: IteratorResult<unknown>) => {
    context.validateItem?.(status, value, String(head['Content-Type']));
    return itemText(value, form);
  };
  try {
    let first: ReturnType<typeof nextOf> | undefined;
    const ask = () => (first = nextOf(items));
    let result = await wait.for(ask, FIRST_ITEM);
    if (!result && forbidden) throw forbidden;
    if (!result && isStopping) throw serviceUnavailable();
    // Before the head, so that it gets an error response if it cannot be sent.
    let text = result && !result.done ? textOfNext(result) : undefined;
    res.writeHead(status, head);
    const sent = (context.stream = { items: 0, headAt: performance.now() });
    if (form.kind === 'events')
      heartbeat = setInterval(() => {
        if (!res.writableNeedDrain) write(HEARTBEAT);
      }, HEARTBEAT_INTERVAL);
    if (!result) {
      if (form.kind === 'events') write(HEARTBEAT);
      else res.flushHeaders();
      result = await wait.for(() => first ?? ask());
    }
    while (result && !result.done) {
      text ??= textOfNext(result);
      sent.items += 1;
      heartbeat?.refresh();
      if (!write(text)) await wait.forDrain();
      text = undefined;
      result = await wait.for(() => nextOf(items));
    }
    // It comes back, and gets a response to what it is now. One that takes nothing more is cut.
    if (!result && forbidden) {
      if (form.kind !== 'events' || res.writableNeedDrain) throw forbidden;
      context.errorCode = forbidden.code;
    } else if (!result && isStopping) await Promise.race([close(), sleep(CLOSING)]);
    if ((isStopping || forbidden) && form.kind === 'events') write(COME_BACK);
    res.end();
    return result?.done === true;
  } catch (error) {
    // So that the items before it arrive: the connection is cut.
    await nextTurn();
    // An interrupted one is not complete, and no failure.
    if (isStopping && (error as Error | undefined)?.name === 'AbortError') throw serviceUnavailable();
    throw error;
  } finally {
    clearInterval(heartbeat);
    leave();
  }
}

/** The next result. Rejects if there is none, which must not look like the end. */
async function nextOf(items: Items): Promise<IteratorResult<unknown, unknown>> {
  const result: unknown = await items.next();
  if (typeof result !== 'object' || result === null)
    throw new TypeError('the iterator of a stream has no result');
  return result as IteratorResult<unknown, unknown>;
}

/** Waits on behalf of the reader of a response: no longer than until it closes, or `end` is called. */
function waitFor(res: Response) {
  let isOver = res.closed;
  let wake: (() => void) | undefined;
  let drained: (() => void) | undefined;
  const end = () => {
    isOver = true;
    wake?.();
  };
  res.once('close', end);
  // Of a write to a connection that has just been lost.
  res.on('error', end);
  res.on('drain', () => drained?.());
  // A reader that is only waiting for an item is not stalled.
  res.on('timeout', (socket: { destroy(): void }) => {
    if (res.writableLength > 0) socket.destroy();
  });
  /**
   * Resolves to undefined if the wait is over first, or has taken `most` milliseconds. `start` is not called once it is
   * over: nobody would get the item.
   */
  function forResult<Result>(start: () => Promise<Result>, most?: number): Promise<Result | undefined> {
    if (isOver) return Promise.resolve(undefined);
    // Not Promise.race: `closed` would keep a function for each item.
    return new Promise((resolve, reject) => {
      wake = () => resolve(undefined);
      const timer = most === undefined ? undefined : setTimeout(wake, most);
      const ended =
        <Value>(end: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(timer);
          end(value);
        };
      start().then(ended(resolve), ended(reject));
    });
  }
  return {
    end,
    for: forResult,
    async forDrain(): Promise<void> {
      await forResult(() => new Promise<void>((resolve) => (drained = resolve)));
      // The items of an iterator that never waits would leave no time for other requests.
      await nextTurn();
    },
  };
}

/** Calls `return` of an iterator. Never rejects. */
async function returnOf(items: Items, { app, requestId }: RequestContext): Promise<void> {
  try {
    await items.return?.();
  } catch (error) {
    if ((error as Error | undefined)?.name === 'AbortError') return;
    app.log.error({ err: error, requestId, code: 'internal_error' }, 'a stream could not be closed');
  }
}
