import type { Command } from 'commander';

export interface Output {
  readonly json?: boolean;
}

/** Adds a command that prints data, as JSON with --json. */
export function addPrintingCommand(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--json', 'print JSON');
}

export function programName(command: Command): string {
  return command.parent ? programName(command.parent) : command.name();
}

/** Prints `value` as JSON with --json, otherwise as `text`. */
export function print({ json }: Output, value: unknown, text: string): void {
  console.log(json ? JSON.stringify(value) : printable(text));
}

/** `text` for a terminal: control characters are escaped, so a file cannot overwrite the screen. */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

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
