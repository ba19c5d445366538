import { once } from 'node:events';
import { pipeline, type Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { acceptsGzip, gzipStream, type Head } from '../http/compression.ts';
import { replyWithBytes } from './reply-bytes.ts';

/**
 * Writes an array that arrives in batches. One batch goes out whole, with its length; more are streamed as fast as the
 * reader takes them, so that memory does not grow with the list.
 */
export async function replyInBatches(
  req: Request,
  res: Response,
  status: number,
  head: Head,
  batches: AsyncIterable<string>,
): Promise<void> {
  const iterator = batches[Symbol.asyncIterator]();
  try {
    const first = await iterator.next();
    const second = first.done ? first : await iterator.next();
    if (second.done) {
      await replyWithBytes(req, res, status, head, `[${first.done ? '' : first.value}]`);
      return;
    }
    const isCompressed = acceptsGzip(req, res, head);
    res.writeHead(status, head);
    if (req.method === 'HEAD') {
      res.end();
      return;
    }
    const sink = isCompressed ? compressing(res) : res;
    let separator = '[';
    for (let batch = first; !batch.done; batch = batch === first ? second : await iterator.next()) {
      if (!(await write(sink, separator + batch.value))) return;
      separator = ',';
      await nextTurn();
    }
    sink.end(']');
  } finally {
    await iterator.return?.();
  }
}

function compressing(res: Response): Writable {
  const stream = gzipStream();
  // A reader that hangs up ends both; there is nobody left to tell.
  pipeline(stream, res, () => undefined);
  return stream;
}

/** Resolves to false once there is nobody left to write to. */
async function write(sink: Writable, chunk: string): Promise<boolean> {
  if (sink.destroyed || sink.write(chunk)) return !sink.destroyed;
  const waiting = new AbortController();
  await Promise.race([
    once(sink, 'drain', { signal: waiting.signal }),
    once(sink, 'close', { signal: waiting.signal }),
  ])
    .catch((error: unknown) => {
      // A compressing sink fails, rather than closes, when its reader hangs up.
      if (!sink.destroyed) throw error;
    })
    .finally(() => waiting.abort());
  return !sink.destroyed;
}
