import type { PartResult, Table } from '../result.ts';

export function printResult({ title, tables, claims, notes = [] }: PartResult): void {
  console.log(`\n${title}\n`);
  for (const table of tables) console.log(`${textOf(table)}\n`);
  for (const { subject, target, measured, met } of claims) {
    const verdict = met === undefined ? 'not measured' : met ? 'met' : 'NOT met';
    console.log(`  ${verdict}: ${subject} ${target}: ${measured}`);
  }
  for (const note of notes) console.log(`  ${note}`);
}

export function printSummary(results: readonly PartResult[]): void {
  const claims = results.flatMap((result) => result.claims).filter(({ met }) => met !== undefined);
  if (claims.length === 0) return;
  const met = claims.filter((claim) => claim.met).length;
  console.log(`\n${met} of ${claims.length} targets met.`);
}

function textOf({ head, rows }: Table): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((cells) => (cells[column] ?? '').length)),
  );
  return [head, ...rows]
    .map((cells) =>
      cells
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .map((line) => `  ${line}`)
    .join('\n');
}
