import { patternOf } from '../json/index.ts';
import type { Choices } from './choices.ts';
import { textFrom, textsMatching } from './pattern-text.ts';
import type { Place } from './place.ts';

/** Placeholder for text that only the contract could exemplify. */
export const REPLACE_ME = 'REPLACE_ME';

/** What a text must be. */
export interface Form {
  readonly formats: readonly string[];
  readonly patterns: readonly string[];
  readonly least: number;
  readonly most: number;
}

/** Of generated texts. Longer ones must come from the contract. */
export const MOST_CHARACTERS = 10_000;
/** How many more characters than it must a text has. */
const MORE_CHARACTERS = 30;
/** How many texts of a pattern are tried. */
const MOST_TRIED = 8;
const MOST_DIFFERENT = 12;

const DATE = '(19|20)\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])';
const TIME = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?Z';

const WORD = ['text', '^[a-z]+$'] as const;

/** For each format its usual text, and a pattern of texts of other lengths. */
const FORMATS: Readonly<Record<string, readonly [usual: string, pattern: string]>> = {
  date: ['2026-11-24', `^${DATE}$`],
  'date-time': ['2026-11-24T09:00:00Z', `^${DATE}T${TIME}$`],
  'iso-date-time': ['2026-11-24T09:00:00Z', `^${DATE}T${TIME}$`],
  time: ['09:00:00Z', `^${TIME}$`],
  'iso-time': ['09:00:00Z', `^${TIME}$`],
  duration: ['P1D', '^P[1-9]\\d*[DWMY]$'],
  uuid: [
    '5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a',
    '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
  ],
  email: ['ada@example.com', '^[a-z][a-z0-9]*@(example\\.com|a\\.aa)$'],
  uri: ['https://example.com/', '^(https://example\\.com/|a:)[a-z0-9]*$'],
  url: ['https://example.com/', '^(https://example\\.com|http://a\\.aa)(/[a-z0-9]+)?$'],
  hostname: ['example.com', '^([a-z]+\\.)*[a-z]+$'],
  ipv4: ['192.0.2.1', '^1\\d{0,2}(\\.1\\d{0,2}){3}$'],
  ipv6: ['2001:db8::1', '^(::[1-9a-f]{0,4}|2001(:0db8){7})$'],
  'json-pointer': ['/text', '^(/[a-z]+)*$'],
  'json-pointer-uri-fragment': ['#/text', '^#(/[a-z]+)*$'],
  'relative-json-pointer': ['0', '^0(/[a-z]+)*$'],
  byte: ['cGV0', '^([a-d]{4})*$'],
  ...Object.fromEntries(['regex', 'uri-reference', 'uri-template'].map((name) => [name, WORD])),
  // Integers as text, as protobuf writes them (ProtoJSON).
  int64: ['1', '^(0|-?[1-9]\\d{0,17})$'],
  uint64: ['1', '^(0|[1-9]\\d{0,18})$'],
  int32: ['1', '^(0|-?[1-9]\\d{0,8})$'],
  uint32: ['1', '^(0|[1-9]\\d{0,8})$'],
};

/** Base64, as tools take bytes. */
const BYTES = ['text', '^([a-d]{4})+$'] as const;

/** A text that `place` carries; undefined if none is found. */
export function makeText(
  { formats, patterns, least, most }: Form,
  choices: Choices,
  place: Place,
): string | undefined {
  const shapes = patterns.map(patternOf);
  const fits = (text: string) => {
    const { length } = [...text];
    return (
      length >= least &&
      length <= most &&
      shapes.every((shape) => shape.test(text)) &&
      place.carriesText(text)
    );
  };
  const known = formats.flatMap((format) =>
    format === 'binary' && place.isOfParts
      ? [BYTES]
      : Object.hasOwn(FORMATS, format)
        ? [FORMATS[format] ?? BYTES]
        : [],
  );
  const usual = known[0]?.[0];
  const all = [...patterns, ...(patterns.length > 0 ? [] : known.map(([, pattern]) => pattern))];
  const nth = choices.isUsual ? choices.pick(MOST_CHARACTERS) : choices.pick(MOST_DIFFERENT);
  if (least > MOST_CHARACTERS) return undefined;
  if (all.length === 0) {
    const text = choices.isUsual
      ? `text${nth || ''}`.padEnd(least, 'text')
      : anyText(least, most, place, choices);
    const letters = 'text'.repeat(Math.max(1, least)).slice(0, Math.max(least, Math.min(most, 4)));
    return [[...text].slice(0, most).join(''), letters].find(fits);
  }
  if (!choices.isUsual)
    for (let tried = 0; tried < MOST_TRIED; tried += 1) {
      const made = textFrom(all[choices.pick(all.length)] ?? '', choices.pick, least);
      if (made !== undefined && fits(made)) return made;
    }
  const found = new Set<string>();
  if (nth === 0 && usual !== undefined && fits(usual)) return usual;
  for (const pattern of all)
    for (const text of textsMatching(pattern, least, most, usual))
      if (fits(text) && found.add(text).size > nth) return text;
  const different = [...found];
  return different[nth % different.length];
}

/** Any characters that the place carries, or letters. */
function anyText(least: number, most: number, place: Place, { pick }: Choices): string {
  const length = least + pick(Math.min(most - least, MORE_CHARACTERS) + 1);
  const isAsciiText = pick(2) === 0 || place.isAscii;
  const characters = Array.from({ length }, () =>
    isAsciiText ? asciiAt(pick(PRINTABLE)) : characterAt(pick(CODES)),
  );
  const carried = characters.filter((character) => place.carriesText(`a${character}a`));
  return carried.join('').padEnd(least, 'a');
}

const PRINTABLE = 95;
const CODES = 0x10_f800;

/** Letters come first. */
const asciiAt = (at: number) => String.fromCharCode(32 + ((at + 65) % PRINTABLE));
/** Without surrogates, of which half a pair would be no character. */
const characterAt = (at: number) => {
  const code = (at + 97) % CODES;
  return String.fromCodePoint(code < 0xd800 ? code : code + 0x800);
};
