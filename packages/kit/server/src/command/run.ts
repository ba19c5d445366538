import { CommanderError } from 'commander';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import type { ServiceDefinition } from '../feature.ts';
import { reasonOf, OperatorError, ConfigError } from '../operator-error.ts';
import { printable } from './output.ts';
import { createProgram } from './program.ts';

/** 0: done; 1: it failed; 2: it was called wrongly, or with settings that are wrong. */
type ExitCode = 0 | 1 | 2;

/** Runs the command of `service` with the arguments of this process, which ends with it. */
export async function runCommand(service: ServiceDefinition): Promise<void> {
  const { name } = service.contract;
  // A reader such as `head` that has seen enough is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    console.error(`${name}: cannot write the output: ${reasonOf(error)}`);
    process.exit(1);
  });
  // What it writes is for its owner alone.
  process.umask(0o077);
  process.exitCode = await run(service);
  // PostgreSQL keeps a connection without a password open for a minute: the end does not wait for it. It waits for what
  // is still to be written, and for one turn, in which an output that failed says so.
  setImmediate(() => {
    void Promise.all([process.stdout, process.stderr].map(writtenOut)).then(() => process.exit());
  });
}

/** Never resolves where writing failed: who listens for errors of the stream ends the process. */
function writtenOut(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0) resolve();
    else
      stream.write('', (error) => {
        if (!error) resolve();
      });
  });
}

async function run(service: ServiceDefinition): Promise<ExitCode> {
  try {
    await createProgram(service).parseAsync();
    return 0;
  } catch (error) {
    // commander has said what is wrong, or has printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    console.error(`${service.contract.name}: ${printable(messageOf(error))}`);
    return error instanceof ConfigError ? 2 : 1;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof OperatorError || error instanceof StoreUnavailable) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
