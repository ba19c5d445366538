import type { Example } from './examples.ts';
import { codeText, type FieldRow } from './fields.ts';
import type { Link } from '../openapi.ts';

export const linkTo = (link: Link | undefined) =>
  link ? linkText(link.description ?? 'More', link.url) : '';

/** A link that neither its text nor its address ends early (CommonMark §6.3). */
export function linkText(text: string, url: string): string {
  const target = /[\s()<>]/.test(url) ? `<${url.replaceAll(/[\s<>]/g, encodeURIComponent)}>` : url;
  return `[${text.replaceAll(/[[\]]/g, '\\$&')}](${target})`;
}

export const line = (text: string) => text.trim().replace(/\s+/g, ' ');

/** Texts as one, with a full stop after each that ends without a sign and is followed by another. */
export function sentencesOf(texts: readonly (string | false | undefined)[]): string {
  return texts
    .flatMap((text) => text || [])
    .map((text, index, all) =>
      index < all.length - 1 && /[^\s.!?:;,]$/.test(text) && !ENDED.test(text) ? `${text}.` : text,
    )
    .join(' ');
}

/** Ends with a sentence in quotes or the like, a tag or a block of code. */
const ENDED = /(?:[.!?]["')\]*_`]+|>|```)$/;

/** Paragraphs with one empty line between them. Lines within a paragraph stay, because they may be code. */
export const joined = (parts: readonly (string | false | undefined)[]) =>
  parts
    .map((part) => (part || '').replace(/^\n+|\s+$/g, ''))
    .filter(Boolean)
    .join('\n\n');

/** The lines of `text` as those of an item of a list. */
export const indented = (text: string) => text.replace(/\n(?=.)/g, '\n  ');

/** `text` on the line of its label, if it begins with a sentence. */
export function labelled(label: string, text: string): string {
  return `${label}:${/^[|*+-]/.test(text) ? '\n\n' : ' '}${text}`.trim();
}

/** An example with its title. `of` says what it is one of. */
export function exampleText({ title, description, lang, text, url }: Example, of = ''): string {
  const shown = text === undefined ? `<${url}>` : fence(lang, text);
  return joined([`Example${of}${title && `, ${title}`}:`, description, shown]);
}

export const fence = (lang: string, text: string) => `\`\`\`${lang}\n${text.replace(/\n$/, '')}\n\`\`\``;

/** A row with an id links to itself, which gives it that id on the page. */
export function tableOf(
  what: string,
  rows: readonly (FieldRow & { readonly id?: string })[],
  about = 'Type and meaning',
): string {
  return tableText(
    [what, about],
    rows.map(({ id, name, type, required, meaning }) => [
      `${id ? `[${codeText(name)}](#${id})` : codeText(name)}${required ? ' *required*' : ''}`,
      [type, meaning].filter(Boolean).join('. '),
    ]),
  );
}

export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => line(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}
