import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { petstoreIn } from './data.ts';
import { rows } from './rows.ts';
import type { Settings } from './run.ts';

export interface Arguments extends Settings {
  readonly help: boolean;
  /** What to measure; empty for everything. */
  readonly names: readonly string[];
  /** Another checkout to compare with. */
  readonly against: string | undefined;
}

/** Bad arguments: the message says what is wrong. */
export class UsageError extends Error {}

const others = {
  start: 'time to the first response, and memory then',
  client: 'CPU time per call and size of the client, against openapi-fetch and fetch',
  generate: "npm run generate, against openapi-typescript's command",
};

const about: Readonly<Record<string, string>> = {
  ...Object.fromEntries(rows.map((row) => [row.name, row.about])),
  ...others,
};

/** Throws a UsageError. */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parse(args);
  const unknown = positionals.find((name) => !(name in about));
  if (unknown !== undefined) {
    throw new UsageError(`Unknown name ${unknown}. Known names: ${Object.keys(about).join(', ')}.`);
  }
  const { help, against, seconds } = values;
  const rounds = wholeNumber('--rounds', values.rounds ?? (against === undefined ? '5' : '15'));
  if (against !== undefined && rounds === 1) {
    throw new UsageError('--against needs at least 2 rounds, because it prints an interval.');
  }
  if (against !== undefined && !existsSync(petstoreIn(against))) {
    throw new UsageError(`--against needs a checkout of this repository: ${petstoreIn(against)} is missing.`);
  }
  return { help, names: positionals, against, rounds, seconds: wholeNumber('--seconds', seconds) };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        against: { type: 'string' },
        rounds: { type: 'string' },
        seconds: { type: 'string', default: '2' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageError(`${name} must be a whole number from 1 to 9999.`);
  return Number(text);
}

export const helpText = `Usage: npm run bench [-- [NAME ...] [options]]

Measures the service and its client against their peers, and writes RESULTS.md when no NAME is given.
Requires Linux and wrk; list-100-shared also requires PostgreSQL and Redis.

Options:
  --against DIR  compare the service with that of another built checkout instead, request by request and at its start
  --rounds N     how often each server is measured (5; with --against 15)
  --seconds N    how long each server is loaded in a round (2)
  --help         this text

Names:
${Object.entries(about)
  .map(([name, text]) => `  ${name.padEnd(15)}  ${text}`)
  .join('\n')}
`;
