import { patternOf, regularExpression } from './pattern.ts';

/** Tried in this order for a character of a set. */
const CHARACTERS = [
  ...'aA1',
  ...Array.from({ length: 95 }, (_, code) => String.fromCharCode(32 + code)),
  ...'\t\néя你',
];

const MOST_CHARACTERS = 1_000;
/** How many more times than it must a part is repeated. */
const MOST_MORE = 40;

/**
 * A short text that matches `pattern` and has `minLength` to `maxLength` characters: `preferred` if it does; undefined if none
 * is found. Lookarounds and backreferences are not followed: each text is tested in the end.
 */
export function textMatching(
  pattern: string,
  minLength = 0,
  maxLength = Infinity,
  preferred?: string,
): string | undefined {
  try {
    const shape = patternOf(pattern);
    const fits = (text: string) => text.length >= minLength && text.length <= maxLength && shape.test(text);
    if (preferred !== undefined && fits(preferred)) return preferred;
    for (let more = 0; more <= Math.max(MOST_MORE, Math.min(minLength, MOST_CHARACTERS)); more += 1) {
      const made = firstText(pattern, more);
      // Without an anchor at its end.
      for (const text of [made, made.padEnd(minLength, 'a')]) if (fits(text)) return text;
    }
  } catch {
    // A pattern that is not understood.
  }
  return undefined;
}

/** The tokens of a pattern: escapes, sets and groups' starts, with their quantifiers one by one. */
const TOKEN =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\{\d+(?:,\d*)?\}|[^]/giu;

/** The text of the first alternatives, in which each repetition has `more` times than it must, if it may. */
function firstText(pattern: string, more: number): string {
  const tokens = pattern.match(TOKEN) ?? [];
  let at = 0;

  function alternatives(): string {
    const first = sequence();
    while (tokens[at] === '|') {
      at += 1;
      sequence();
    }
    return first;
  }

  function sequence(): string {
    let text = '';
    while (at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') {
      const piece = atom();
      text += piece.repeat(times());
      if (text.length > MOST_CHARACTERS) throw new Error('too long');
    }
    return text;
  }

  function atom(): string {
    const token = tokens[at] ?? '';
    at += 1;
    if (token.startsWith('(')) {
      const inner = alternatives();
      at += 1;
      return /^\(\?<?[=!]/.test(token) ? '' : inner;
    }
    if (/^(\^|\$|\\[bB])$/.test(token)) return '';
    if (!/^[.[\\]/.test(token)) return token;
    const set = regularExpression(`^${token}$`);
    const found = CHARACTERS.find((character) => set.test(character));
    return found ?? literalIn(token);
  }

  /** How often the token before is repeated. */
  function times(): number {
    const [, least = '', comma, most = ''] = /^\{(\d+)(,?)(\d*)\}$/.exec(tokens[at] ?? '') ?? [];
    const range =
      RANGES[tokens[at] ?? ''] ??
      (least && [Number(least), comma ? Number(most || Infinity) : Number(least)]);
    if (!range) return 1;
    at += 1;
    // A lazy quantifier.
    if (tokens[at] === '?') at += 1;
    return Math.min(range[0] + more, range[1]);
  }

  return alternatives();
}

const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  '*': [0, Infinity],
  '+': [1, Infinity],
  '?': [0, 1],
};

/** A character that only the token itself names, such as an escape or an emoji in a set. */
function literalIn(token: string): string {
  const [, code] = /\\(?:u\{?|x)([\da-f]+)/i.exec(token) ?? [];
  if (code === undefined) return [...token.replace(/^\[\^?|\]$/g, '')][0] ?? '';
  return String.fromCodePoint(Number.parseInt(code, 16));
}
