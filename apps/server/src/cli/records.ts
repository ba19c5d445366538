import { roundedNumberIn } from '../validation/exact-number.ts';

/** A record may have so many bytes: far more than any has, and little enough to be kept in memory. */
const MAX_BYTES = 1024 * 1024;
const TOO_LONG = 'a record has at most 1 MB';

/** One JSON value of a file or what is wrong with it, and the line it starts on, counting from 1. */
export type FileRecord =
  | { readonly line: number; readonly value: unknown; readonly fault?: undefined }
  | { readonly line: number; readonly value?: undefined; readonly fault: string };

interface Reader {
  /** Takes a piece of `line`; the last piece of a line has its line break. */
  read(piece: string, line: number): Iterable<FileRecord>;
  end(line: number): Iterable<FileRecord>;
}

/**
 * Reads the records of a file as it comes in: the elements of the one JSON array in it, or else its lines. Throws where
 * an array has no end or something follows it. @streamparser/json could read the arrays, but it yields values without
 * their text and line: a number that was rounded, a member named twice and the place of a fault would go unsaid.
 */
export async function* readRecords(chunks: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  let reader: Reader | undefined;
  let line = 1;
  for await (const chunk of chunks) {
    for (const piece of chunk.split(/(?<=\n)/)) {
      // A byte order mark counts as white space here.
      const [first] = piece.trimStart();
      if (first !== undefined) reader ??= first === '[' ? arrayReader() : lineReader();
      if (reader) yield* reader.read(piece, line);
      if (piece.endsWith('\n')) line += 1;
    }
  }
  if (reader) yield* reader.end(line);
}

function lineReader(): Reader {
  let text = '';
  function* end(line: number): Generator<FileRecord> {
    const record = text.trim();
    text = '';
    if (Buffer.byteLength(record) > MAX_BYTES) yield { line, fault: TOO_LONG };
    else if (record !== '') yield parse(record, line);
  }
  return {
    *read(piece, line) {
      // What is too long already need not be kept to be refused.
      if (text.length <= MAX_BYTES) text += piece;
      if (piece.endsWith('\n')) yield* end(line);
    },
    end,
  };
}

function parse(text: string, line: number): FileRecord {
  try {
    const value: unknown = JSON.parse(text);
    const fault = silentFaultIn(text);
    return fault === undefined ? { line, value } : { line, fault };
  } catch (error) {
    return { line, fault: `not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** What JSON.parse and the decoder of UTF-8 have made something else of, without a word. */
function silentFaultIn(text: string): string | undefined {
  if (text.includes('\ufffd')) return 'has bytes that are not UTF-8, or U+FFFD, which stands for them';
  const rounded = roundedNumberIn(text);
  if (rounded !== undefined) return `the number ${rounded.slice(0, 40)} would be rounded`;
  const twice = duplicateKeyIn(text);
  return twice === undefined ? undefined : `the field ${JSON.stringify(twice)} is there twice`;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}:]/gs;

/** The first name that an object of a valid JSON text has twice (RFC 8259 §4). */
function duplicateKeyIn(json: string): string | undefined {
  const objects: Set<string>[] = [];
  let last = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{') objects.push(new Set());
    else if (token === '}') objects.pop();
    else if (token === ':') {
      const name = JSON.parse(last) as string;
      const names = objects.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    } else last = token;
  }
  return undefined;
}

const somethingFollows = (line: number) => new Error(`line ${line}: something follows the array`);
const isSpace = (character: string) => character.trim() === '';

/** Takes the elements of an array apart, and leaves each to JSON.parse. */
function arrayReader(): Reader {
  let text = '';
  /** Where the element under way starts; undefined between elements. */
  let startLine: number | undefined;
  let count = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let isEnded = false;
  let isGivenUp = false;

  function giveUp(line: number, fault: string): FileRecord {
    isGivenUp = true;
    return { line: startLine ?? line, fault: `${fault}; what follows it was not read` };
  }

  function element(line: number): FileRecord {
    const record = parse(text.trim(), startLine ?? line);
    if (record.fault?.startsWith('not valid JSON')) return giveUp(line, 'not valid JSON');
    if (Buffer.byteLength(text) > MAX_BYTES) return giveUp(line, TOO_LONG);
    text = '';
    startLine = undefined;
    count += 1;
    return record;
  }

  return {
    *read(piece, line) {
      let from = 0;
      for (let at = 0; at < piece.length && !isGivenUp; at += 1) {
        const character = piece.charAt(at);
        if (isEscaped) isEscaped = false;
        else if (isInString) {
          if (character === '\\') isEscaped = true;
          else if (character === '"') isInString = false;
        } else if (depth === 0) {
          if (isEnded && !isSpace(character)) throw somethingFollows(line);
          if (character !== '[') continue;
          depth = 1;
          from = at + 1;
        } else if (depth === 1 && (character === ',' || character === ']')) {
          text += piece.slice(from, at);
          from = at + 1;
          isEnded = character === ']';
          if (isEnded) depth = 0;
          // Only an empty array may have nothing before its end.
          if (!isEnded || count > 0 || !isSpace(text)) yield element(line);
        } else {
          if (startLine === undefined && !isSpace(character)) startLine = line;
          if (character === '"') isInString = true;
          else if (character === '{' || character === '[') depth += 1;
          else if (character === '}' || character === ']') depth -= 1;
          if (depth === 0) yield giveUp(line, 'not valid JSON');
        }
      }
      if (depth > 0 && !isGivenUp) text += piece.slice(from);
      if (text.length > MAX_BYTES && !isGivenUp) yield giveUp(line, TOO_LONG);
    },
    *end(line) {
      if (!isGivenUp && !isEnded) throw new Error(`line ${line}: the array has no end`);
    },
  };
}
