import { parseArgs } from 'node:util';
import type { Part } from './part.ts';

export interface Arguments {
  readonly help: boolean;
  readonly names: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  /** Whether RESULTS.md and the chart are written: on a full run, or where it is asked for. */
  readonly write: boolean;
}

/** Bad arguments: the message says what is wrong. */
export class UsageError extends Error {}

/** Reads the command line. Throws a UsageError. */
export function readArguments(args: readonly string[], parts: readonly Part[]): Arguments {
  const { values, positionals } = parse(args);
  for (const name of positionals) {
    if (!parts.some((part) => part.name === name))
      throw new UsageError(
        `there is no part ${name}; there are ${parts.map((part) => part.name).join(', ')}`,
      );
  }
  return {
    help: values.help,
    names: positionals,
    rounds: wholeNumber('--rounds', values.rounds),
    seconds: wholeNumber('--seconds', values.seconds),
    write: values.write || positionals.length === 0,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        rounds: { type: 'string', default: '5' },
        seconds: { type: 'string', default: '2' },
        write: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError(`${name} must be a whole number from 1 to 9999999`);
  return Number(text);
}

export function helpText(parts: readonly Part[]): string {
  const width = Math.max(...parts.map(({ name }) => name.length));
  return `Usage: npm run bench [-- [NAME ...] [options]]

Measures the service and the client against their peers, all parts or those that are named. Needs wrk.

Options:
  --rounds N    how often each subject is measured (5)
  --seconds N   how long each subject is loaded in a round (2)
  --write       write RESULTS.md and results.svg also when parts are named
  --help        this text

Parts:
${parts.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join('\n')}
`;
}
