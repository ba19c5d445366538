import { pino, type Logger } from 'pino';
import type { Config } from '../config.ts';

export interface ServiceLog {
  readonly log: Logger;
  /** Writes a line of JSON that is one of the log's already. */
  readonly writeLine: (line: string) => void;
  /** Writes text for people, in order with the log. */
  readonly print: (text: string) => void;
}

export interface LogOptions extends Pick<Config, 'logLevel'> {
  /** Called for each write that failed, and for each line that was dropped. */
  readonly onFailure: (reason: string) => void;
}

/** The log of the service: lines of JSON, or for people on a terminal. */
export async function createLog({ logLevel, onFailure }: LogOptions): Promise<ServiceLog> {
  const options = { level: logLevel, base: null };
  // To ask for `isTTY` also makes a pipe non-blocking, so a reader that takes nothing never stops the event loop.
  if (!process.stdout.isTTY) {
    const output = standardOutput(onFailure);
    const write = (text: string) => void output.write(text);
    return { log: pino(options, output), writeLine: write, print: write };
  }
  const { default: pretty } = await import('pino-pretty');
  const messageFormat = '{msg}{if method} {method} {path} {status}{end}';
  const stream = pretty({ sync: true, singleLine: true, messageFormat, ignore: 'method,path,status' });
  return {
    log: pino(options, stream),
    writeLine: (line) => void stream.write(line),
    print: (text) => void process.stdout.write(text),
  };
}

/** Lines are written together once there are so many bytes of them, or after so many milliseconds. */
const MIN_BYTES = 8_192;
const FLUSH_INTERVAL = 100;
/** The most that waits for a reader that takes nothing, or for space on a disk. Further lines are dropped. */
const MAX_UNWRITTEN_BYTES = 1_000_000;

/** Standard output. If it cannot be written to, the service runs on. */
function standardOutput(onFailure: (reason: string) => void) {
  const output = pino.destination({
    dest: 1,
    sync: true,
    minLength: MIN_BYTES,
    maxLength: MAX_UNWRITTEN_BYTES,
    periodicFlush: FLUSH_INTERVAL,
    // What a full pipe does not take now is tried again at the next flush.
    retryEAGAIN: () => false,
  });
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EAGAIN') onFailure(error.message);
  });
  output.on('drop', () => onFailure('its reader takes nothing'));
  process.once('exit', () => output.end());
  return output;
}
