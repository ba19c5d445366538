import { catalogueRows } from './catalogue-rows.ts';
import { otherOf, type Other } from './checkout.ts';
import { UsageError } from './errors.ts';
import { rows } from './rows.ts';
import type { Settings } from './run.ts';

export interface Plan extends Settings {
  readonly isWanted: (name: string) => boolean;
  /** What to compare with. */
  readonly against: Other | undefined;
}

const others = {
  operations: 'start, memory, first request and look-up of contracts with 10 to 2,000 operations',
  start: 'time to the first response, and memory then',
  client: 'CPU time per call and size of the client, against openapi-fetch and fetch',
  edges: 'what a handler that uses no log, signal or header pays for its context',
  generate: "npm run generate, against openapi-typescript's command",
};

const about: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...rows, ...catalogueRows].map((row) => [row.name, row.about])),
  ...others,
};

export const options = {
  against: { type: 'string' },
  rounds: { type: 'string' },
  seconds: { type: 'string', default: '2' },
  help: { type: 'boolean' },
} as const;

interface Values {
  readonly against?: string;
  readonly rounds?: string;
  readonly seconds: string;
}

/** The fewest rounds of a comparison that are judged. */
export const LEAST_ROUNDS = 15;

/** What to measure: `names`, or everything if there are none. Throws a UsageError. */
export function planOf({ against, rounds, seconds }: Values, names: readonly string[]): Plan {
  const unknown = names.find((name) => !(name in about));
  if (unknown !== undefined)
    throw new UsageError(`Unknown name ${unknown}. Known names: ${Object.keys(about).join(', ')}.`);
  const plan = {
    isWanted: (name: string) => names.length === 0 || names.includes(name),
    against: against === undefined ? undefined : otherOf(against),
    rounds: wholeNumber('--rounds', rounds ?? (against === undefined ? '5' : String(LEAST_ROUNDS))),
    seconds: wholeNumber('--seconds', seconds),
  };
  if (against !== undefined && plan.rounds === 1)
    throw new UsageError('--against needs at least 2 rounds, because it prints an interval.');
  return plan;
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageError(`${name} must be a whole number from 1 to 9999.`);
  return Number(text);
}

export const USAGE = `Usage: npm run bench [-- [NAME ...] [options]]

Measures the service and its client against their peers, and writes RESULTS.md when no NAME is given.
Requires Linux and wrk; rows that end in -shared also require PostgreSQL and Redis.

Options:
  --against X    compare the service with another one instead, request by request and at its start: a commit of this
                 repository, which is checked out, installed and built for it, or the folder of a built checkout
  --rounds N     how often each server is measured (5; with --against 15, and fewer are not judged)
  --seconds N    how long each server is loaded in a round (2)
  --help         this text

Names:
${Object.entries(about)
  .map(([name, text]) => `  ${name.padEnd(17)}  ${text}`)
  .join('\n')}
`;
