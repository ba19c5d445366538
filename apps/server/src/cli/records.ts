/** One JSON value of a file, and the line it starts on, counting from 1. */
export interface FileRecord {
  readonly line: number;
  readonly text: string;
}

/**
 * Splits a file into records as it is read: the elements of the one JSON array in it, or else its lines. It finds
 * where records begin and end; whether they are valid JSON is for JSON.parse to say. Throws where an array has no end
 * or something follows it.
 */
export async function* readRecords(chunks: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  const source = chunks[Symbol.asyncIterator]();
  let head = '';
  while (head.trim() === '') {
    const { done, value } = (await source.next()) as IteratorResult<string, undefined>;
    if (done) return;
    head += value;
  }
  async function* whole(): AsyncGenerator<string> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => source };
  }
  yield* head.trimStart().startsWith('[') ? elementsOf(whole()) : linesOf(whole());
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  let line = 0;
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      line += 1;
      if (text.trim() !== '') yield { line, text: text.trim() };
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, text: rest.trim() };
}

async function* elementsOf(chunks: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  let line = 1;
  let startLine = 0;
  let text = '';
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let isClosed = false;
  let elements = 0;

  for await (const chunk of chunks) {
    let from = depth === 0 ? chunk.length : 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const character = chunk[index] ?? '';
      if (character === '\n') line += 1;
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (character === '\\') isEscaped = true;
        else if (character === '"') inString = false;
        continue;
      }
      if (character <= ' ' || character === '\ufeff') continue;
      if (isClosed) throw new Error(`line ${line}: something follows the array`);
      if (depth === 0) {
        depth = 1;
        from = index + 1;
        continue;
      }
      const ends = depth === 1 && (character === ',' || character === ']');
      if (ends) {
        const element = (text + chunk.slice(from, index)).trim();
        // `[]` has no element; `[1,]` has an empty one, which JSON.parse refuses.
        if (element !== '' || character === ',' || elements > 0)
          yield { line: startLine || line, text: element };
        elements += 1;
        text = '';
        startLine = 0;
        from = index + 1;
        isClosed = character === ']';
        continue;
      }
      startLine ||= line;
      if (character === '"') inString = true;
      else if (character === '{' || character === '[') depth += 1;
      else if (character === '}' || character === ']') depth -= 1;
    }
    if (!isClosed) text += chunk.slice(from);
  }
  if (!isClosed) throw new Error(`line ${line}: the array has no end`);
}
