import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { OperatorError } from '../operator-error.ts';

export interface Confirmed {
  readonly yes?: boolean;
}

/** Makes a command ask before it runs, because it cannot be undone. */
export function confirming(command: Command): Command {
  return command.option('--yes', 'do not ask for confirmation');
}

/** Asks on a terminal whether to do `what`. Throws an OperatorError if not. Does not ask scripts. */
export async function confirm({ yes = false }: Confirmed, what: string): Promise<void> {
  if (yes || !process.stdin.isTTY) return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.on('error', () => terminal.close());
  // Ctrl-C and Ctrl-D mean no.
  const no = () => {
    console.error();
    return 'n';
  };
  const answer = await terminal
    .question(`${what} [y/N] `)
    .catch(no)
    .finally(() => terminal.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new OperatorError('nothing was done');
}
