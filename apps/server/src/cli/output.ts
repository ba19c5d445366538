import type { Command } from 'commander';

export interface Output {
  readonly json?: boolean;
}

/** Adds a command that prints data, as JSON where --json is given. */
export function addPrintingCommand(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--json', 'print JSON');
}

/** Prints `value` as JSON where --json was given, and as `text` for people otherwise. */
export function print({ json }: Output, value: unknown, text: string): void {
  console.log(json ? JSON.stringify(value) : text);
}

/** Aligns rows under their headings. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [headings, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
