import { Marked, type Token } from 'marked';
import type { Link } from './openapi.ts';
import type { Row } from './reference.ts';

/* The contract's text as escaped HTML. */

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const marked = new Marked({
  renderer: {
    html: ({ text }) => escaped(text),
    // Only the page knows the next heading level.
    heading({ tokens }) {
      return `<p><strong>${this.parser.parseInline(tokens)}</strong></p>`;
    },
    code: ({ text }) => pre(text),
    codespan: ({ text }) => code(text),
  },
});

/** A name, which may wrap after a sign but not inside a word. */
export function code(text: string): string {
  return `<code>${escaped(text).replace(/(?<=[\]/._-])(?=\w)/g, '<wbr>')}</code>`;
}

export const markdown = (text: string) => marked.parse(text, { async: false });
export const inline = (text: string) => marked.parseInline(text.trim(), { async: false });

/** Code with highlighted strings. Focusable, so that the keyboard can scroll it. */
export function pre(source: string): string {
  const quoted = escaped(source).replace(/(&quot;.*?&quot;|'[^'\n]*'|`[^`\n]*`)/g, '<span>$1</span>');
  return `<pre tabindex="0"><code>${quoted}</code></pre>`;
}

interface TextSection {
  readonly title: string;
  readonly html: string;
}

/** Splits a description at its second-level headings. The part before the first has no heading. */
export function sectionsOf(description: string): [TextSection, ...TextSection[]] {
  const sections: [{ title: string; tokens: Token[] }, ...{ title: string; tokens: Token[] }[]] = [
    { title: '', tokens: [] },
  ];
  for (const token of marked.lexer(description)) {
    if (token.type === 'heading' && token['depth'] === 2)
      sections.push({ title: String(token['text']), tokens: [] });
    else sections.at(-1)?.tokens.push(token);
  }
  const toHtml = ({ title, tokens }: (typeof sections)[0]) => ({ title, html: marked.parser(tokens) });
  const [lead, ...rest] = sections;
  return [toHtml(lead), ...rest.map(toHtml)];
}

export function linkTo(link: Link | undefined): string {
  return link ? `<p><a href="${escaped(link.url)}">${escaped(link.description ?? 'More')}</a></p>` : '';
}

export function table(
  head: readonly string[],
  rows: readonly { readonly id?: string | undefined; readonly cells: readonly string[] }[],
): string {
  const body = rows.map(
    ({ id, cells }) =>
      `<tr${id ? ` id="${id}"` : ''}>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
  );
  return `<table><thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>
<tbody>${body.join('\n')}</tbody></table>`;
}

/** A table of fields, parameters or headers; empty if there are none. */
export function tableOf(what: string, rows: readonly (Row & { readonly id?: string })[]): string {
  if (rows.length === 0) return '';
  return table(
    [what, 'Meaning'],
    rows.map(({ id, name, required, type, meaning }) => ({
      id,
      cells: [
        `${code(name)}<br><small>${inline(type)}${required ? ' <em>required</em>' : ''}</small>`,
        inline(meaning),
      ],
    })),
  );
}
