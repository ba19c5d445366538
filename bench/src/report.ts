import { writeFileSync } from 'node:fs';
import path from 'node:path';
import prettier from 'prettier';
import { CONNECTIONS } from './load.ts';
import { describeMachine } from './machine.ts';
import { busyNote, type Claim, type PartResult, type Table } from './result.ts';
import { chartOf } from './chart.ts';

const folder = path.resolve(import.meta.dirname, '..');

export interface Run {
  readonly rounds: number;
  readonly seconds: number;
  /** What was typed. */
  readonly command: string;
  readonly date: Date;
  /** Parts that could not be measured, and why. */
  readonly failed: readonly string[];
  /** The most of the machine that other processes were seen to use, from 0 to 1. */
  readonly busiest: number;
}

/** Writes RESULTS.md and results.svg. */
export async function writeResults(results: readonly PartResult[], run: Run): Promise<void> {
  writeFileSync(path.join(folder, 'RESULTS.md'), await formatted(textOf(results, run)));
  writeFileSync(path.join(folder, 'results.svg'), chartOf(results, run.busiest));
}

/** What RESULTS.md says of a part, for a terminal. */
export async function printResult(result: PartResult): Promise<void> {
  const targets = result.claims.length > 0 ? `\n${claimTable(result.claims)}\n` : '';
  console.log(`\n${await formatted(sectionOf(result) + targets)}`);
}

async function formatted(markdown: string): Promise<string> {
  const file = path.join(folder, 'RESULTS.md');
  return prettier.format(markdown, { ...(await prettier.resolveConfig(file)), parser: 'markdown' });
}

function textOf(
  results: readonly PartResult[],
  { rounds, seconds, command, date, failed, busiest }: Run,
): string {
  return `# Results

Written by \`${command}\` on ${date.toISOString().slice(0, 10)}; nothing here is edited by hand.

- Machine: ${describeMachine()}.
- Load: wrk, ${CONNECTIONS} connections, each with one request at a time; ${rounds} rounds of ${seconds} s after a warm-up, in an order that changes from round to round.
- Every figure is the median of the rounds, with the least and the greatest in parentheses. A ratio is taken within each round.
- \`node:http\` sends the bytes that the service was seen to send, and does nothing else. "By CPU time" is the same ratio from the CPU time per request.
- Requests are logged, to a file, where a part says so, by all; \`NODE_ENV\` is \`production\`. The peers are in [peers](peers); each passes [the same check](src/conformance.ts) before it is timed. They look a key up in SQLite on every request; the service does so every 5 s. Each counts in memory, in the two windows of the contract.
${busyNote(busiest)
  .map((each) => `- **${each}**\n`)
  .join('')}${failed.map((each) => `- **${each}.**\n`).join('')}
## Targets

${claimTable(results.flatMap(({ claims }) => claims))}

![Requests per second as a part of what node:http reaches](results.svg)

${results.map(sectionOf).join('\n')}`;
}

function claimTable(claims: readonly Claim[]): string {
  return tableOf({
    head: ['Subject', 'Target', 'Measured', 'Met'],
    rows: claims.map(({ subject, target, measured, met }) => [
      subject,
      target,
      measured,
      met === undefined ? 'not measured' : met ? 'yes' : '**no**',
    ]),
  });
}

function sectionOf({ title, tables, notes = [] }: PartResult): string {
  return [`## ${title}`, ...tables.map(tableOf), ...notes, ''].join('\n\n');
}

function tableOf({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}
