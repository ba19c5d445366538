import { Marked } from 'marked';
import { anchor, escaped, image } from './links.ts';
import { blocksOf, tags } from './tags.ts';

/* The contract's text as escaped HTML. */

const marked: Marked = new Marked({
  extensions: tags,
  renderer: {
    link({ href, title, tokens }) {
      return anchor(href, this.parser.parseInline(tokens), title);
    },
    image: ({ href, text, title }) => image(href, text, title),
    html: (token): string => (token.block === true ? blocksOf(token, inline) : escaped(token.text)),
    // Only the page knows the next heading level.
    heading({ tokens }) {
      return `<p><strong>${this.parser.parseInline(tokens)}</strong></p>`;
    },
    // A row that links to itself in the first cell.
    tablerow({ text }) {
      const [, id] = /^<td><a href="#((?:error|header|scheme|scope)-[^"]+)"/.exec(text) ?? [];
      return `<tr${id ? ` id="${id}"` : ''}>${text}</tr>`;
    },
    code: ({ text }) => pre(text),
    codespan: ({ text }) => code(text),
  },
});

/** Where a name may wrap: after a sign, and in a long one before each capital letter. */
const WRAPS = /(?<=[\]/._-])(?=\w)/g;
const LONG_WRAPS = /(?<=[\]/._-])(?=\w)|(?<=[a-z\d])(?=[A-Z])/g;

/** A name, which does not wrap inside a word. An address stays whole, because that of this server is filled in. */
export function code(text: string): string {
  if (/^https?:/.test(text)) return `<code>${escaped(text)}</code>`;
  return `<code>${escaped(text).replace(text.length > 20 ? LONG_WRAPS : WRAPS, '<wbr>')}</code>`;
}

export const markdown = (text: string) => marked.parse(text, { async: false });
export const inline = (text: string): string => marked.parseInline(text.trim(), { async: false });

/** Code with highlighted strings. Focusable, so that the keyboard can scroll it. */
export function pre(source: string): string {
  const quoted = escaped(source).replace(/(&quot;.*?&quot;|'[^'\n]*'|`[^`\n]*`)/g, '<span>$1</span>');
  return `<pre tabindex="0"><code>${quoted}</code></pre>`;
}
