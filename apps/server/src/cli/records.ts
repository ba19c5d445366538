import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';

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
 * an array has no end or something follows it.
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
    return { line, value: JSON.parse(text) };
  } catch (error) {
    return { line, fault: `not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const somethingFollows = (line: number) => new Error(`line ${line}: something follows the array`);

function arrayReader(): Reader {
  const tokenizer = new Tokenizer();
  const parser = new TokenParser({ paths: ['$.*'], keepStack: false });
  const records: FileRecord[] = [];
  let line = 1;
  /** Where the record under way starts; undefined between records. */
  let startLine: number | undefined;
  /** How many bytes were read, and where between records the last token was. */
  let bytes = 0;
  let finished = 0;
  let isOpen = false;
  let isGivenUp = false;

  tokenizer.onToken = (token) => {
    if (isOpen && token.token !== TokenType.COMMA) startLine ??= line;
    isOpen = true;
    parser.write(token);
    if (startLine === undefined) finished = token.offset;
  };
  parser.onValue = ({ value }) => {
    records.push({ line: startLine ?? line, value });
    startLine = undefined;
  };

  function faultOf(piece: string): string | undefined {
    try {
      tokenizer.write(piece);
    } catch {
      return 'not valid JSON';
    }
    bytes += Buffer.byteLength(piece);
    return bytes - finished > MAX_BYTES && !parser.isEnded ? TOO_LONG : undefined;
  }

  return {
    *read(piece, lineOfPiece) {
      if (isGivenUp) return;
      line = lineOfPiece;
      const fault = faultOf(piece);
      yield* records.splice(0);
      if (fault === undefined) return;
      if (parser.isEnded) throw somethingFollows(line);
      isGivenUp = true;
      yield { line: startLine ?? line, fault: `${fault}; what follows it was not read` };
    },
    *end(lastLine) {
      if (isGivenUp) return;
      if (!parser.isEnded) throw new Error(`line ${lastLine}: the array has no end`);
      try {
        tokenizer.end();
      } catch {
        throw somethingFollows(lastLine);
      }
    },
  };
}
