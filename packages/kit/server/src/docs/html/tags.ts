import type { TokenizerAndRendererExtension, Tokens } from 'marked';
import { anchor } from './links.ts';

/* The tags that many contracts have in their descriptions, without their attributes. All others are shown as text. */

const ELEMENT = /^<(b|strong|i|em|code|sub|sup|u|kbd|p|ul|ol|li)(?:\s[^<>]*)?>([^]*?)<\/\1\s*>/i;
const LINK = /^<a\s(?:[^<>]*\s)?href\s*=\s*(["'])([^<>]*?)\1[^<>]*>([^]*?)<\/a\s*>/i;
const BREAK = /^<br\s*\/?>/i;

/** An element that ends; nothing after it is inside. */
const element: TokenizerAndRendererExtension = {
  name: 'element',
  level: 'inline',
  start: (source) => source.indexOf('<'),
  tokenizer(source) {
    const [raw, tag = '', text = ''] = ELEMENT.exec(source) ?? [];
    if (raw === undefined) return undefined;
    return { type: 'element', raw, tag: tag.toLowerCase(), tokens: this.lexer.inlineTokens(text) };
  },
  renderer({ tag, tokens = [] }) {
    const html = this.parser.parseInline(tokens);
    // A paragraph may be within another.
    return tag === 'p' ? `${html} ` : `<${tag}>${html}</${tag}>`;
  },
};

const link: TokenizerAndRendererExtension = {
  name: 'linkElement',
  level: 'inline',
  start: (source) => source.indexOf('<'),
  tokenizer(source) {
    const [raw, , url, text = ''] = LINK.exec(source) ?? [];
    if (raw === undefined) return undefined;
    return { type: 'linkElement', raw, url, tokens: this.lexer.inlineTokens(text) };
  },
  renderer: function ({ url, tokens = [] }) {
    return anchor(String(url), this.parser.parseInline(tokens));
  },
};

const lineBreak: TokenizerAndRendererExtension = {
  name: 'lineBreak',
  level: 'inline',
  start: (source) => source.indexOf('<'),
  tokenizer(source) {
    const raw = BREAK.exec(source)?.[0];
    return raw === undefined ? undefined : { type: 'lineBreak', raw };
  },
  renderer: () => '<br>',
};

export const tags = [element, link, lineBreak];

/** A block of HTML as paragraphs and lists. */
export function blocksOf({ text }: Tokens.HTML | Tokens.Tag, inline: (text: string) => string): string {
  const parts = text.split(/<\/?p(?:\s[^<>]*)?>/i).map((part) => inline(part));
  return parts
    .filter(Boolean)
    .map((html) => (/^<[uo]l>/.test(html) ? html : `<p>${html}</p>`))
    .join('\n');
}
