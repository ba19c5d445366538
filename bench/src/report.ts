import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'prettier';
import { root } from './data.ts';
import { CONNECTIONS } from './load.ts';
import { describeMachine } from './machine.ts';
import type { Run } from './run.ts';

export interface Section {
  readonly title: string;
  /** What a reader must know to read the table. */
  readonly note: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A section in Markdown, as prettier formats it. */
export function sectionText({ title, note, head, rows }: Section): Promise<string> {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [head, head.map(() => '-'), ...rows].map(line).join('\n');
  return format(`## ${title}\n\n${note}\n\n${table}\n`, { parser: 'markdown' });
}

export async function writeResults(
  { rounds, seconds, failures }: Run,
  sections: readonly Section[],
): Promise<void> {
  const texts = await Promise.all(sections.map(sectionText));
  // Measured apart, because it takes minutes: the page says how.
  const large = readFileSync(path.join(root, 'bench/large-contract.md'), 'utf8');
  const text = `# Results

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}. Do not edit.

- Machine: ${describeMachine()}.
- Load: wrk with ${CONNECTIONS} connections, one request at a time on each; ${rounds} rounds of ${seconds} s after a warm-up, in an order that changes from round to round.
- A figure is the median of the rounds, with the lowest and the highest in parentheses. A ratio is taken within each round.
${failures.map((failure) => `- **${failure}**\n`).join('')}
${texts.join('\n')}
${large}`;
  writeFileSync(path.join(root, 'bench/RESULTS.md'), text);
}
