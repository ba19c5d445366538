import { Marked } from 'marked';

/* The contract's text as escaped HTML. */

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** A link to `url`, or only the HTML of its text if the page must not lead there, such as to a script. */
export function anchor(url: string, html: string, title?: string | null): string {
  const target = harmless(url);
  return target === undefined ? html : `<a href="${target}"${titled(title)}>${html}</a>`;
}

/** A picture, or a link to one of another origin, which the page's policy does not load. */
function image(url: string, text: string, title: string | null): string {
  if (URL.canParse(url)) return anchor(url, escaped(text || url), title);
  const target = harmless(url);
  return target === undefined
    ? escaped(text)
    : `<img src="${target}" alt="${escaped(text)}"${titled(title)}>`;
}

const titled = (title?: string | null) => (title ? ` title="${escaped(title)}"` : '');

/** An escaped URL that browsers do not run as a script; undefined if it is another. */
function harmless(url: string): string | undefined {
  // Markdown may write & as &amp;. Other references to characters stay as they are.
  const target = url.replaceAll('&amp;', '&');
  // As browsers read it: without spaces around it and line breaks in it.
  const isKnown =
    URL.canParse(target, PAGE) && ['http:', 'https:', 'mailto:'].includes(new URL(target, PAGE).protocol);
  return isKnown ? escaped(target) : undefined;
}

const PAGE = 'https://page.invalid/docs';

const marked = new Marked({
  renderer: {
    link({ href, title, tokens }) {
      return anchor(href, this.parser.parseInline(tokens), title);
    },
    image: ({ href, text, title }) => image(href, text, title),
    html: ({ text }) => escaped(text),
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

/** A name, which may wrap after a sign but not inside a word. An address stays whole, because that of this server is filled in. */
export function code(text: string): string {
  if (/^https?:/.test(text)) return `<code>${escaped(text)}</code>`;
  return `<code>${escaped(text).replace(/(?<=[\]/._-])(?=\w)/g, '<wbr>')}</code>`;
}

export const markdown = (text: string) => marked.parse(text, { async: false });
export const inline = (text: string) => marked.parseInline(text.trim(), { async: false });

/** Code with highlighted strings. Focusable, so that the keyboard can scroll it. */
export function pre(source: string): string {
  const quoted = escaped(source).replace(/(&quot;.*?&quot;|'[^'\n]*'|`[^`\n]*`)/g, '<span>$1</span>');
  return `<pre tabindex="0"><code>${quoted}</code></pre>`;
}
