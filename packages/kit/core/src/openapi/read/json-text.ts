import type { Pointer } from '../problem.ts';

/*
 * Files of JSON: their values by JSON.parse, and places found in the text when a problem is reported. YAML reads JSON too,
 * with a node for each value, which takes fifty times the memory of the text.
 */

/** The value of `text`; undefined if it is no JSON, or has what the reader of YAML reports. */
export function jsonOf(text: string, isReadable: (text: string) => boolean): unknown {
  if (!/^\s*\{/.test(text) || !isReadable(text)) return undefined;
  try {
    const data: unknown = JSON.parse(text);
    return isUnambiguous(text, isReadable) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** The places of the values of a JSON text. A scalar is at its value, everything else at its name. */
export function placesIn(text: string): (pointer: Pointer) => number {
  const known = new Map<number, ReadonlyMap<string, Entry>>();
  /** The entries of an object or a list. Each is read once, when something in it is asked for. */
  const entriesAt = (start: number) => {
    const entries = new Map<string, Entry>();
    const read = known.get(start);
    if (read) return read;
    readEntries(text, start, (name, at, value) => {
      entries.set(name, { at, value });
      return endOf(text, value);
    });
    known.set(start, entries);
    return entries;
  };
  return (pointer) => {
    let value = afterSpace(text, 0);
    let offset = 0;
    for (const step of pointer) {
      const isHolder = text[value] === '{' || (text[value] === '[' && /^\d+$/.test(String(step)));
      const entry = isHolder ? entriesAt(value).get(String(step)) : undefined;
      if (!entry) break;
      value = entry.value;
      offset = text[value] === '{' || text[value] === '[' ? entry.at : value;
    }
    return offset;
  };
}

interface Entry {
  /** Where its name is; in a list, its value. */
  readonly at: number;
  readonly value: number;
}

/** Calls `read` for each entry of the object or list at `start`, which gives where its value ends. Gives where that ends. */
function readEntries(
  text: string,
  start: number,
  read: (name: string, at: number, value: number) => number,
): number {
  const isList = text[start] === '[';
  let index = 0;
  for (let at = afterSpace(text, start + 1); ;) {
    if (text[at] === '}' || text[at] === ']') return at + 1;
    if (text[at] === ',') at = afterSpace(text, at + 1);
    let name = String(index);
    let value = at;
    if (!isList) {
      const end = endOf(text, at);
      name = textAt(text, at, end);
      value = afterSpace(text, afterSpace(text, end) + 1);
    }
    at = afterSpace(text, read(name, at, value));
    index += 1;
  }
}

/** Whose numbers must be the ones that are written. */
const EXACT = /^(enum|const|default)$/;

/** Whether the whole number that is `written` is another one when it is read as `value` and written again. */
export function isRounded(value: number, written: string): boolean {
  return /^-?\d{16,}$/.test(written) && BigInt(value) !== BigInt(written) && String(value) !== written;
}

/** Whether no name is there twice, every text can be read, and every number is the one that is written. */
function isUnambiguous(text: string, isReadable: (text: string) => boolean): boolean {
  let isFound = false;
  /** `isExact` is for what an enum or a const has. */
  const read = (start: number, isExact: boolean): number => {
    const first = text[start];
    if (first === '{' || first === '[') {
      const names = new Set<string>();
      return readEntries(text, start, (name, _at, value) => {
        isFound ||= names.has(name) || !isReadable(name) || name === '<<';
        names.add(name);
        return read(value, isExact || EXACT.test(name));
      });
    }
    const end = endOf(text, start);
    if (first === '"') {
      isFound ||= text.slice(start, end).includes('\\') && !isReadable(textAt(text, start, end));
    } else if (first === '-' || (first !== undefined && first >= '0' && first <= '9')) {
      const written = text.slice(start, end);
      const value = Number(written);
      isFound ||= (isExact && isRounded(value, written)) || !Number.isFinite(value);
    }
    return end;
  };
  read(afterSpace(text, 0), false);
  return !isFound;
}

const SPACE = /\s*/y;
const SCALAR = /[^\s,\]}]*/y;
const BRACKET = /["[\]{}]/g;

function afterSpace(text: string, start: number): number {
  SPACE.lastIndex = start;
  SPACE.test(text);
  return SPACE.lastIndex;
}

/** Where the value at `start` ends. */
function endOf(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfText(text, start);
  if (first !== '{' && first !== '[') {
    SCALAR.lastIndex = start;
    SCALAR.test(text);
    return SCALAR.lastIndex;
  }
  let depth = 1;
  for (let at = start + 1; ;) {
    BRACKET.lastIndex = at;
    const [bracket] = BRACKET.exec(text) ?? [];
    at = BRACKET.lastIndex;
    if (bracket === '"') at = endOfText(text, at - 1);
    else depth += bracket === '{' || bracket === '[' ? 1 : -1;
    if (depth === 0) return at;
  }
}

function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text[before - 1] === '\\') before -= 1;
    if ((at - before) % 2 === 0) return at + 1;
  }
}

function textAt(text: string, start: number, end: number): string {
  const written = text.slice(start + 1, end - 1);
  return written.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : written;
}
