import { pino, type Logger } from 'pino';
import type { Config } from '../config.ts';

export interface ServiceLog {
  readonly log: Logger;
  /** Writes a serialized line of the log. */
  readonly writeLine: (line: string) => void;
  /** Writes text for people, in order with the log. */
  readonly print: (text: string) => void;
}

export interface LogOptions extends Pick<Config, 'logLevel'> {
  /** Called for each write that failed, and for each line that was dropped. */
  readonly onFailure: (reason: string) => void;
  /** Removes secrets from a line of JSON. */
  readonly redactLine: (line: string) => string;
}

/** JSON, or readable text on a terminal. */
export async function createLog({ logLevel, onFailure, redactLine }: LogOptions): Promise<ServiceLog> {
  const options = { level: logLevel, base: null, hooks: { streamWrite: redactLine } };
  // Reading `isTTY` also makes a pipe non-blocking, so a stalled reader never blocks the event loop.
  if (!process.stdout.isTTY) {
    const output = standardOutput(onFailure);
    const write = (text: string) => void output.write(text);
    return { log: pino(options, output), writeLine: write, print: write };
  }
  const { default: pretty } = await import('pino-pretty');
  const messageFormat = '{msg}{if method} {method} {path} {status}{end}';
  const stream = pretty({ sync: true, singleLine: true, messageFormat, ignore: 'method,path,status' });
  stream.on('error', (error: Error) => onFailure(error.message));
  return {
    log: pino(options, stream),
    writeLine: (line) => void stream.write(line),
    print: (text) => void process.stdout.write(text),
  };
}

/** Lines are buffered up to this many bytes and milliseconds. Each line copies the buffered ones, so not more. */
const MIN_BYTES = 2_048;
const FLUSH_INTERVAL = 100;
/** The most bytes that wait for a stalled reader or a full disk. Further lines are dropped. */
const MAX_UNWRITTEN_BYTES = 1_000_000;

/** Standard output. If it cannot be written to, the service runs on. */
function standardOutput(onFailure: (reason: string) => void) {
  const output = pino.destination({
    dest: 1,
    sync: true,
    minLength: MIN_BYTES,
    maxLength: MAX_UNWRITTEN_BYTES,
    periodicFlush: FLUSH_INTERVAL,
    // The next flush retries what a full pipe rejects.
    retryEAGAIN: () => false,
  });
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EAGAIN') onFailure(error.message);
  });
  output.on('drop', () => onFailure('its reader is stalled'));
  process.once('exit', () => output.end());
  return output;
}
