import { patternOf, regularExpression } from '../json/index.ts';

/** Tried in this order for a character of a set. */
const CHARACTERS = [
  ...'aA1',
  ...Array.from({ length: 95 }, (_, code) => String.fromCharCode(32 + code)),
  ...'\t\néя你',
];

const MOST_CHARACTERS = 1_000;
/** How many more times than it must a part is repeated. */
const MOST_MORE = 40;
/** Texts of other choices: for lookarounds, and for lengths that even repetitions skip. */
const MOST_VARIED = 300;

/**
 * A short text that matches `pattern` and has `minLength` to `maxLength` characters: `preferred` if it does; undefined if none
 * is found.
 */
export function textMatching(
  pattern: string,
  minLength = 0,
  maxLength = Infinity,
  preferred?: string,
): string | undefined {
  const [first] = textsMatching(pattern, minLength, maxLength, preferred);
  return first;
}

/** Such texts, the shortest first, then varied ones. Lookarounds are guesses: each text is tested in the end. */
export function* textsMatching(
  pattern: string,
  minLength = 0,
  maxLength = Infinity,
  preferred?: string,
): Generator<string, void, undefined> {
  const shape = tryTo(() => patternOf(pattern));
  const branches = tryTo(() => parsed(pattern));
  if (!shape || !branches) return;
  const fits = (text: string) => {
    const { length } = [...text];
    return length >= minLength && length <= maxLength && shape.test(text);
  };
  if (preferred !== undefined && fits(preferred)) yield preferred;
  const least = Math.max(MOST_MORE, Math.min(minLength, MOST_CHARACTERS));
  for (let at = 0; at <= least + MOST_VARIED; at += 1) {
    const made = tryTo(() => written(branches, at <= least ? first(at) : varied(at, minLength)));
    // A pattern that is too long even with the fewest repetitions.
    if (made === undefined && at === 0) return;
    if (made === undefined) continue;
    // Without an anchor at its end, it may be longer: as the preferred text goes on, or by any characters.
    const rest = preferred?.slice(made.length) ?? '';
    const longer = made.padEnd(Math.max(minLength, made.length + at), 'a');
    yield* new Set([made, made + rest, longer].filter(fits));
  }
}

/** A text of a pattern by choices, of which 0 is the simplest; undefined if none is made. It is not tested. */
export function textFrom(
  pattern: string,
  pick: (count: number) => number,
  minLength: number,
): string | undefined {
  const branches = tryTo(() => parsed(pattern));
  if (!branches) return undefined;
  const most = [1, 2, 4, 8, Math.min(minLength, MOST_CHARACTERS)][pick(5)] ?? 0;
  const choices: Choices = {
    more: () => pick(most + 1),
    choose: (items) => items[pick(items.length)],
    looksAhead: pick(2) === 1,
  };
  const made = tryTo(() => written(branches, choices));
  // Without an anchor at its end, it may be longer.
  return made?.padEnd(minLength, 'a');
}

/** Undefined if it throws: a pattern that is not understood, or too long. */
function tryTo<Result>(make: () => Result): Result | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** What a pattern leaves open. */
interface Choices {
  /** How many more times than it must a part is repeated. */
  readonly more: () => number;
  readonly choose: <Item>(items: readonly Item[]) => Item | undefined;
  /** Whether the text of a lookahead is written, too. */
  readonly looksAhead: boolean;
}

const first = (more: number): Choices => ({
  more: () => more,
  choose: ([item]) => item,
  looksAhead: false,
});

/** Always the same ones for a number. */
function varied(number: number, minLength: number): Choices {
  let state = number;
  const random = (below: number) => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  const most = [1, 2, 4, 8, 16, Math.min(minLength, MOST_CHARACTERS)][number % 6] ?? 0;
  return {
    more: () => random(most + 1),
    choose: (items) => items[random(items.length)],
    looksAhead: number % 2 === 1,
  };
}

/** The tokens of a pattern: escapes, sets and groups' starts, with their quantifiers one by one. */
const TOKEN =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\{\d+(?:,\d*)?\}|[^]/giu;

type Branches = readonly (readonly Part[])[];

/** Part of a pattern, and how often it is repeated. */
interface Part {
  readonly least: number;
  readonly most: number;
  /** The characters, one of which it is. */
  readonly characters?: readonly string[];
  readonly branches?: Branches;
  /** The number of a group, and its name. */
  readonly names?: readonly string[];
  /** The group that is repeated. */
  readonly same?: string;
  readonly isAhead?: boolean;
}

function parsed(pattern: string): Branches {
  const tokens = pattern.match(TOKEN) ?? [];
  let at = 0;
  let groups = 0;

  function alternatives(): Branches {
    const all = [sequence()];
    while (tokens[at] === '|') {
      at += 1;
      all.push(sequence());
    }
    return all;
  }

  function sequence(): Part[] {
    const parts: Part[] = [];
    while (at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') {
      const part = atom(tokens[at++] ?? '');
      const [least, most] = times();
      if (part) parts.push({ ...part, least, most });
    }
    return parts;
  }

  /** Undefined for what has no text, such as an anchor. */
  function atom(token: string): Omit<Part, 'least' | 'most'> | undefined {
    if (token.startsWith('(')) {
      const [, name] = /^\(\?<([^=!>]+)>$/.exec(token) ?? [];
      const names = token === '(' || name !== undefined ? [`${(groups += 1)}`, ...(name ? [name] : [])] : [];
      const branches = alternatives();
      at += 1;
      if (/^\(\?(!|<[=!])/.test(token)) return undefined;
      return { branches, names, isAhead: token === '(?=' };
    }
    if (/^(\^|\$|\\[bB])$/.test(token)) return undefined;
    const [, number, name = number] = /^\\(?:([1-9])|k<(.*)>)$/.exec(token) ?? [];
    if (name !== undefined) return { same: name };
    return { characters: /^[.[\\]/.test(token) ? charactersIn(token) : [token] };
  }

  /** How often the token before is repeated. */
  function times(): readonly [least: number, most: number] {
    const [, least = '', comma, most = ''] = /^\{(\d+)(,?)(\d*)\}$/.exec(tokens[at] ?? '') ?? [];
    const range =
      RANGES[tokens[at] ?? ''] ??
      (least === '' ? undefined : ([+least, comma ? Number(most || Infinity) : +least] as const));
    if (!range) return [1, 1];
    at += 1;
    // A lazy quantifier.
    if (tokens[at] === '?') at += 1;
    return range;
  }

  return alternatives();
}

const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  '*': [0, Infinity],
  '+': [1, Infinity],
  '?': [0, 1],
};

/** Throws an error for a text that is too long. */
function written(pattern: Branches, { more, choose, looksAhead }: Choices): string {
  const groups = new Map<string, string>();

  function write(branches: Branches): string {
    let text = '';
    for (const part of choose(branches) ?? []) {
      const times = Math.min(part.least + more(), part.most);
      for (let time = 0; time < times; time += 1) {
        text += textOf(part);
        if (text.length > MOST_CHARACTERS) throw new Error('too long');
      }
    }
    return text;
  }

  function textOf({ characters, branches, names = [], same, isAhead }: Part): string {
    if (same !== undefined) return groups.get(same) ?? '';
    if (!branches) return choose(characters ?? []) ?? '';
    const text = write(branches);
    for (const name of names) groups.set(name, text);
    return isAhead && !looksAhead ? '' : text;
  }

  return write(pattern);
}

/** Those of a set; if it has none of the usual ones, a character that only the token itself names, such as an emoji. */
function charactersIn(token: string): string[] {
  const set = regularExpression(`^${token}$`);
  const found = CHARACTERS.filter((character) => set.test(character));
  return found.length > 0 ? found : [literalIn(token)];
}

function literalIn(token: string): string {
  const [, code] = /\\(?:u\{?|x)([\da-f]+)/i.exec(token) ?? [];
  if (code === undefined) return [...token.replace(/^\[\^?|\]$/g, '')][0] ?? '';
  return String.fromCodePoint(Number.parseInt(code, 16));
}
