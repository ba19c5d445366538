import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { OperatorError } from '../operator-error.ts';

export interface Confirmed {
  readonly yes?: boolean;
}

/** A command that cannot be taken back, and so asks before. */
export function confirming(command: Command): Command {
  return command.option('--yes', 'do not ask, for scripts');
}

/** Asks on a terminal whether `what` shall be done. Throws a OperatorError where it shall not. Scripts are not asked. */
export async function confirm({ yes = false }: Confirmed, what: string): Promise<void> {
  if (yes || !process.stdin.isTTY) return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and Ctrl-D are answers too.
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
