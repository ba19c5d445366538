/* Escaped text, links and pictures. */

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** A link to `url`, or only the HTML of its text if the page must not lead there, such as to a script. */
export function anchor(url: string, html: string, title?: string | null): string {
  const target = harmless(url);
  return target === undefined ? html : `<a href="${target}"${titled(title)}>${html}</a>`;
}

/** A picture, or a link to one of another origin, which the page's policy does not load. */
export function image(url: string, text: string, title: string | null): string {
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
