import { CommanderError } from 'commander';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import type { ServiceDefinition } from '../feature.ts';
import { reasonOf, OperatorError, ConfigError } from '../operator-error.ts';
import { printable } from './output.ts';
import { createProgram } from './program.ts';
import { redactorFor } from './redactor.ts';
import { endBySignalsAsInit } from './signals.ts';

/** 0: done; 1: failed; 2: wrong arguments or settings. */
type ExitCode = 0 | 1 | 2;

/** Runs the command of `service` with the arguments of this process, then ends the process. */
export async function runCommand(service: ServiceDefinition): Promise<void> {
  const { name } = service.contract;
  // A reader such as `head` may stop early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    console.error(`${name}: cannot write the output: ${reasonOf(error)}`);
    process.exit(1);
  });
  endBySignalsAsInit();
  // Only the owner may read its files.
  process.umask(0o077);
  process.exitCode = await run(service);
  // PostgreSQL keeps a connection without a password open for a minute: do not wait for it. Wait for pending output, and
  // one turn, in which a failed output reports its error.
  setImmediate(() => {
    void Promise.all([process.stdout, process.stderr].map(writtenOut)).then(() => process.exit());
  });
}

/** Never resolves if writing failed: the stream's error listener ends the process. */
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
    // commander has printed the error or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { redact } = redactorFor(service);
    console.error(`${service.contract.name}: ${printable(redact(errorText(error)))}`);
    return error instanceof ConfigError ? 2 : 1;
  }
}

function errorText(error: unknown): string {
  if (error instanceof OperatorError || error instanceof StoreUnavailable) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
