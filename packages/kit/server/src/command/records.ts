import { roundedNumberIn } from '../validation/exact-number.ts';

/** The most bytes of a line: more than any record needs, and small enough for memory. */
const MAX_LINE_BYTES = 1024 * 1024;
/** The most bytes of a JSON array, which is read whole. */
const MAX_ARRAY_BYTES = 64 * 1024 * 1024;

/** A JSON value of a file, or its fault, with its line or its item in an array, counted from 1. */
export type FileRecord = { readonly unit: 'line' | 'item'; readonly number: number } & (
  | { readonly value: unknown; readonly fault?: undefined }
  | { readonly value?: undefined; readonly fault: string }
);

/** Reads the records of a file: the items of its JSON array, otherwise its lines. Throws if the array cannot be read. */
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
      // A byte order mark counts as white space.
      isArray ??= piece.trim() === '' ? undefined : piece.trimStart().startsWith('[');
      // A line that is too long need not be kept.
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

/** Throws an error if JSON.parse, or the UTF-8 decoder before it, would change a value. */
function parseExactly(text: string): unknown {
  if (text.includes('\ufffd')) throw new Error('has bytes that are not UTF-8, or U+FFFD, their replacement');
  const value = parse(text);
  const rounded = roundedNumberIn(text);
  if (rounded !== undefined) throw new Error(`the number ${rounded.slice(0, 40)} would be rounded`);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`not valid JSON: ${(error as Error).message}`);
  }
}
