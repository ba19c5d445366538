import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { contextOf, type Outgoing } from './request-context.ts';

/** Streams an array at the reader's speed. Rejects with an ApiError, 503, if there are too many streams. */
export async function respondInBatches(
  req: Request,
  res: Response,
  { body, ...head }: Outgoing & { readonly body: AsyncIterable<string> },
): Promise<void> {
  const { app, caller } = contextOf(req);
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
    res.writeHead(status, head);
    if (req.method === 'HEAD' || first.done) {
      res.end();
      return;
    }
    res.write(first.value);
    await pipeline(parts, res);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The reader has closed the connection.
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    await parts.return();
  }
}

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
