import { roundedNumberIn } from '../validation/exact-number.ts';

/** A line may have so many bytes: far more than any record has, and little enough to be kept in memory. */
const MAX_LINE_BYTES = 1024 * 1024;
/** A JSON array is read whole, so it may have no more bytes than this. */
const MAX_ARRAY_BYTES = 64 * 1024 * 1024;

/** One JSON value of a file or what is wrong with it, and where it is, counting from 1: its line, or its item in an array. */
export type FileRecord = { readonly unit: 'line' | 'item'; readonly number: number } & (
  | { readonly value: unknown; readonly fault?: undefined }
  | { readonly value?: undefined; readonly fault: string }
);

/** Reads the records of a file: the items of the one JSON array in it, or else its lines. Throws if the array cannot be read. */
export async function* readRecords(chunks: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  let text = '';
  let number = 1;
  let isArray: boolean | undefined;
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += Buffer.byteLength(chunk);
    if (isArray && bytes > MAX_ARRAY_BYTES)
      throw new Error('an array may have at most 64 MB: write one record per line (NDJSON) instead');
    for (const piece of isArray ? [chunk] : chunk.split(/(?<=\n)/)) {
      // A byte order mark counts as white space here.
      isArray ??= piece.trim() === '' ? undefined : piece.trimStart().startsWith('[');
      // What is too long already need not be kept to be refused.
      if (isArray || text.length <= MAX_LINE_BYTES) text += piece;
      if (isArray || !piece.endsWith('\n')) continue;
      yield* recordOf(text, number);
      number += 1;
      text = '';
    }
  }
  if (isArray) yield* itemsOf(text);
  else yield* recordOf(text, number);
}

function* recordOf(line: string, number: number): Generator<FileRecord> {
  const text = line.trim();
  if (text === '') return;
  const unit = 'line';
  if (Buffer.byteLength(text) > MAX_LINE_BYTES) yield { unit, number, fault: 'a line may have at most 1 MB' };
  else {
    try {
      yield { unit, number, value: parseExactly(text) };
    } catch (error) {
      yield { unit, number, fault: (error as Error).message };
    }
  }
}

function* itemsOf(array: string): Generator<FileRecord> {
  for (const [index, value] of (parseExactly(array.trim()) as unknown[]).entries())
    yield { unit: 'item', number: index + 1, value };
}

/** Throws an error if JSON.parse, or the decoder of UTF-8 before it, would make something else of the text. */
function parseExactly(text: string): unknown {
  if (text.includes('\ufffd'))
    throw new Error('has bytes that are not UTF-8, or U+FFFD, which stands for them');
  const value = parse(text);
  const rounded = roundedNumberIn(text);
  if (rounded !== undefined) throw new Error(`the number ${rounded.slice(0, 40)} would be rounded`);
  const twice = duplicateKeyIn(text);
  if (twice !== undefined) throw new Error(`the field ${JSON.stringify(twice)} is there twice`);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`not valid JSON: ${(error as Error).message}`);
  }
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
