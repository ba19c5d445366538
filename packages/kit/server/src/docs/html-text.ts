import { Marked } from 'marked';

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
    // A row that links to itself in the first cell.
    tablerow({ text }) {
      const [, id] = /^<td><a href="#((?:error|header)-[^"]+)"/.exec(text) ?? [];
      return `<tr${id ? ` id="${id}"` : ''}>${text}</tr>`;
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
