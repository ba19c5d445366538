import { pipeline, type Writable } from 'node:stream';
import type { Request, Response } from 'express';
import { acceptsGzip, gzipStream, type Head } from '../http/compression.ts';
import { exchangeOf } from './exchange.ts';
import { batchTurn, takeStream } from './streams.ts';

/**
 * Streams an array that arrives in batches, as fast as the reader takes them, so that memory does not grow with the
 * list. Rejects with an ApiError, 503, where there are too many already.
 */
export async function replyInBatches(
  req: Request,
  res: Response,
  status: number,
  head: Head,
  batches: AsyncIterable<string>,
): Promise<void> {
  const leave = takeStream(exchangeOf(req).caller);
  const iterator = batches[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<string, undefined>> => {
    await batchTurn();
    // What it reads from may be closed once a stop has cut off the last reader.
    return res.destroyed ? { done: true, value: undefined } : iterator.next();
  };
  try {
    // Before the head: what fails at once has an answer of its own.
    let batch = await next();
    const isCompressed = acceptsGzip(req, res, head);
    res.writeHead(status, head);
    if (req.method === 'HEAD') {
      res.end();
      return;
    }
    const sink = isCompressed ? compressing(res) : res;
    let separator = '[';
    for (; !batch.done; batch = await next()) {
      if (!(await write(sink, separator + batch.value))) return;
      separator = ',';
    }
    sink.end(separator === '[' ? '[]' : ']');
  } finally {
    leave();
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
  // By hand: what `once` of node:events needs to stop listening costs an Error for each of them.
  await new Promise<void>((resolve) => {
    const done = () => {
      sink.off('drain', done).off('close', done);
      resolve();
    };
    sink.on('drain', done).on('close', done);
  });
  return !sink.destroyed;
}
