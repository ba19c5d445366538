import { pino, type Logger } from 'pino';
import type { Config } from '../config.ts';

/** The log of the service: lines of JSON, or for people on a terminal. Its `flush` is for the end. */
export async function createLog({ logLevel }: Pick<Config, 'logLevel'>): Promise<Logger> {
  const options = { level: logLevel, base: null };
  if (!process.stdout.isTTY) return pino(options, logDestination());
  const { default: pretty } = await import('pino-pretty');
  const messageFormat = '{msg}{if method} {method} {path} {status}{end}';
  return pino(options, pretty({ sync: true, singleLine: true, messageFormat, ignore: 'method,path,status' }));
}

/** Lines are written together where many come at once, as one write for each would cost as much as a short list. */
const CHUNK_BYTES = 65_536;
/** How long a line may wait for others, in milliseconds; what waits is written when the process ends, but for kill -9. */
const DELAY = 100;
/** What is kept of a log that cannot be written; the rest is dropped. */
const MAX_UNWRITTEN_BYTES = 1_000_000;
/** How long the end waits for a reader that takes nothing, in milliseconds. */
const LAST_PATIENCE = 2_000;
/** The most bytes that a character of a string takes up in UTF-8. */
const MAX_CHARACTER_BYTES = 3;

/** Joins lines, because sonic-boom joins all that waits again for each that comes. */
function logDestination() {
  const { output, hurry } = standardOutput();
  let chunk = Buffer.alloc(0);
  let filled = 0;
  let unwritten = 0;
  output.on('write', (bytes) => (unwritten -= bytes));
  output.on('drop', (dropped: Buffer) => (unwritten -= dropped.length));
  const handOver = () => {
    if (filled === 0) return;
    unwritten += filled;
    // It takes buffers in this mode, whatever its types say.
    output.write(chunk.subarray(0, filled) as unknown as string);
    chunk = chunk.subarray(filled);
    filled = 0;
  };
  const flush = () => {
    handOver();
    if (unwritten > 0) output.flush();
  };
  setInterval(flush, DELAY).unref();
  const finish = () => {
    hurry();
    handOver();
  };
  process.prependListener('exit', finish);
  return {
    flush: finish,
    // Each line becomes bytes at once, while it is in the processor's cache: a string of hundreds is in pieces all over.
    write(line: string) {
      const most = line.length * MAX_CHARACTER_BYTES;
      if (filled + most > chunk.length) flush();
      if (most > chunk.length) chunk = Buffer.allocUnsafe(Math.max(most, CHUNK_BYTES));
      filled += chunk.write(line, filled);
    },
  };
}

/**
 * The standard output, which writes when it is told. One that cannot be written, on a full disk or to a frozen reader,
 * stops no service, nor its end: once it is to `hurry`, it waits for no reader much longer.
 */
function standardOutput() {
  let deadline = Infinity;
  const output = pino.destination({
    dest: 1,
    sync: false,
    contentMode: 'buffer',
    minLength: MAX_UNWRITTEN_BYTES,
    maxWrite: MAX_UNWRITTEN_BYTES + 1,
    maxLength: MAX_UNWRITTEN_BYTES,
    retryEAGAIN: () => performance.now() < deadline,
  });
  let isFailing = false;
  output.on('error', () => (isFailing = true));
  output.on('write', () => (isFailing = false));
  // pino writes the rest at the end by this, and would try for ever where it cannot.
  const flushSync = output.flushSync.bind(output);
  output.flushSync = () => {
    try {
      if (!isFailing) flushSync();
    } catch {
      // The deadline is over.
    }
  };
  const hurry = () => {
    deadline = Math.min(deadline, performance.now() + LAST_PATIENCE);
  };
  return { output, hurry };
}
