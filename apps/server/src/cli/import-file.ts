import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Import } from '../database/import.ts';
import { SetupError } from '../setup-error.ts';
import { InvalidRecord } from '../validation/record-schema.ts';
import { printable } from './output.ts';
import type { ProgressBar } from './progress.ts';
import { readRecords, type FileRecord } from './records.ts';

const BATCH = 2_000;
/** Bad lines that are named before an import gives up reading on. */
const MAX_BAD_LINES = 1_000;

export interface ImportFileOptions<Item> {
  /** Where the records are; `-` for standard input. */
  readonly file: string;
  readonly noun: string;
  /** Turns a value of the file into an item; throws InvalidRecord. */
  readonly parse: (value: unknown) => Item;
  readonly underway: Import<Item & { line: number }>;
  readonly progress: ProgressBar;
  /** Called when it cannot be said any more, whatever happens, that nothing was imported. */
  readonly deciding: () => void;
}

/** Resolves to how many records were imported. A file that is bad only in ids that the store has already names those. */
export async function importFile<Item extends { id?: number }>({
  file,
  noun,
  parse,
  underway,
  progress,
  deciding,
}: ImportFileOptions<Item>): Promise<number> {
  const lineOfId = new Map<number, number>();
  const batch: (Item & { line: number })[] = [];
  let count = 0;
  let bad = 0;
  const complain = (line: number, reason: string): void => {
    bad += 1;
    progress.interrupt(() => console.error(printable(`line ${line}: ${reason}`)));
    if (bad === MAX_BAD_LINES)
      throw new SetupError(`${bad} bad lines and perhaps more; nothing was imported`);
  };

  const take = ({ line, value, fault }: FileRecord): void => {
    try {
      if (fault !== undefined) throw new InvalidRecord(fault);
      const item = parse(value);
      const first = item.id !== undefined && lineOfId.get(item.id);
      if (first) throw new InvalidRecord(`id ${item.id} is on line ${first} already`);
      if (item.id !== undefined) lineOfId.set(item.id, line);
      count += 1;
      batch.push({ ...item, line });
    } catch (error) {
      if (!(error instanceof InvalidRecord)) throw error;
      complain(line, error.message);
    }
  };

  try {
    for await (const record of readRecords(readFile(file, progress))) {
      take(record);
      if (batch.length === BATCH) await underway.stage(batch.splice(0));
    }
    if (bad > 0) throw new SetupError(`${bad} bad ${bad === 1 ? 'line' : 'lines'}; nothing was imported`);
    await underway.stage(batch);
  } catch (error) {
    await underway.abandon();
    throw error;
  }
  const conflicts = await underway.commit(deciding);
  for (const { line, id } of conflicts.slice(0, MAX_BAD_LINES)) {
    progress.interrupt(() => console.error(`line ${line}: the store has ${noun} ${id} already`));
  }
  if (conflicts.length > 0) {
    throw new SetupError(`${conflicts.length} of these ids are taken already; nothing was imported`);
  }
  return count;
}

async function* readFile(file: string, progress: ProgressBar): AsyncGenerator<string> {
  if (file === '-') {
    yield* process.stdin.setEncoding('utf8') as AsyncIterable<string>;
    return;
  }
  const { size } = await stat(file);
  const stream = createReadStream(file, { encoding: 'utf8' });
  progress.start(size);
  for await (const chunk of stream as AsyncIterable<string>) {
    yield chunk;
    progress.update(stream.bytesRead);
  }
}
