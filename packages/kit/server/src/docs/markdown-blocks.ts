import { codeText, type FieldRow } from './fields.ts';
import type { Link } from './openapi.ts';

export const linkTo = (link: Link | undefined) =>
  link ? `[${link.description ?? 'More'}](${link.url})` : '';

export const line = (text: string) => text.trim().replace(/\s+/g, ' ');
/** Paragraphs with one empty line between them. Lines within a paragraph stay, because they may be code. */
export const joined = (parts: readonly (string | false | undefined)[]) =>
  parts
    .map((part) => (part || '').replace(/^\n+|\s+$/g, ''))
    .filter(Boolean)
    .join('\n\n');

/** The lines of `text` as those of an item of a list. */
export const indented = (text: string) => text.replace(/\n(?=.)/g, '\n  ');

/** A row with an id links to itself, which gives it that id on the page. */
export function tableOf(
  what: string,
  rows: readonly (FieldRow & { readonly id?: string })[],
  about = 'Type and meaning',
): string {
  return table(
    [what, about],
    rows.map(({ id, name, type, required, meaning }) => [
      `${id ? `[${codeText(name)}](#${id})` : codeText(name)}${required ? ' *required*' : ''}`,
      `${type}${meaning && `. ${meaning}`}`,
    ]),
  );
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => line(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}
