import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { Batches } from '../http/list.ts';
import { requestContextOf, throwIfEnded, type Outgoing } from './request-context.ts';

/**
 * Streams an array at the reader's speed. If there are too many streams, sends it whole, or rejects with an ApiError, 503,
 * if it is too long for that.
 */
export async function respondInBatches(
  req: Request,
  res: Response,
  { body, ...head }: Outgoing & { readonly body: Batches },
): Promise<void> {
  const context = requestContextOf(req);
  const { app, caller } = context;
  const whole = app.lists.isFull(caller) ? await body.whole?.() : undefined;
  if (whole) {
    throwIfEnded(context);
    res.writeHead(head.status, { ...head.head, 'Content-Length': whole.length }).end(whole);
    return;
  }
  const leave = app.lists.take(caller);
  try {
    await respondInParts(req, res, head, jsonArray(body, res));
  } finally {
    leave();
  }
}

/** Sends `parts` at the reader's speed, and closes them. */
export async function respondInParts(
  req: Request,
  res: Response,
  { status, head }: Pick<Outgoing, 'status' | 'head'>,
  parts: AsyncGenerator<string | Uint8Array, void>,
): Promise<void> {
  try {
    // Before the head: an early failure gets an error response.
    const first = await parts.next();
    throwIfEnded(requestContextOf(req));
    res.writeHead(status, head);
    if (req.method === 'HEAD' || first.done) {
      res.end();
      return;
    }
    res.write(first.value);
    await pipeline(parts, res);
  } catch (error) {
    // Of both ends if both fail.
    const { errors = [error] } = error as Partial<AggregateError>;
    const failure = (errors as NodeJS.ErrnoException[]).find((one) => !isOfClosed(one, res));
    if (failure) throw failure;
  } finally {
    await parts.return();
  }
}

/** Whether an error only says that the connection is closed, which a handler learns from its `signal`. */
const isOfClosed = ({ code, name }: NodeJS.ErrnoException, { closed }: Response) =>
  code === 'ERR_STREAM_PREMATURE_CLOSE' || (closed && name === 'AbortError');

/** The text of an array, as far as there is a reader. */
async function* jsonArray(batches: AsyncIterable<string>, res: Response): AsyncGenerator<string, void> {
  let opening = '[';
  try {
    for await (const batch of batches) {
      yield opening + batch;
      opening = ',';
    }
  } catch (error) {
    // The store may be closed after the last reader was cut.
    if (res.destroyed) return;
    throw error;
  }
  yield opening === '[' ? '[]' : ']';
}
