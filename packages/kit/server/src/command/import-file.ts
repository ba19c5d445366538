import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Import, Imported } from '../database/import-port.ts';
import { OperatorError } from '../operator-error.ts';
import { InvalidRecord } from '../validation/record-schema.ts';
import { printable } from './output.ts';
import type { ProgressBar } from './progress.ts';
import { readRecords, type FileRecord } from './records.ts';

const BATCH = 2_000;
/** How many bad records an import names before it stops reading. */
const MAX_BAD = 1_000;

export interface ImportFileOptions<Item> {
  /** The file; `-` is standard input. */
  readonly file: string;
  readonly noun: string;
  /** Turns a value of the file into an item; throws InvalidRecord. */
  readonly parse: (value: unknown) => Item;
  readonly underway: Import<Item>;
  readonly progress: ProgressBar;
  /** Called before the rows are written: after that a failure may mean that everything was imported. */
  readonly deciding: () => void;
}

/** Resolves to the number of imported records. If only existing ids are wrong with a file, the error names them. */
export async function importFile<Item extends { id?: number }>({
  file,
  noun,
  parse,
  underway,
  progress,
  deciding,
}: ImportFileOptions<Item>): Promise<number> {
  const lineOfId = new Map<number, number>();
  const batch: Imported<Item>[] = [];
  let unit: FileRecord['unit'] = 'line';
  let count = 0;
  let bad = 0;
  const name = (line: number, reason: string): void =>
    progress.interrupt(() => console.error(printable(`${unit} ${line}: ${reason}`)));

  const take = ({ number: line, value, fault }: FileRecord): void => {
    try {
      if (fault !== undefined) throw new InvalidRecord(fault);
      const item = parse(value);
      const first = item.id !== undefined && lineOfId.get(item.id);
      if (first) throw new InvalidRecord(`id ${item.id} is on ${unit} ${first} already`);
      if (item.id !== undefined) lineOfId.set(item.id, line);
      count += 1;
      batch.push({ ...item, line });
    } catch (error) {
      if (!(error instanceof InvalidRecord)) throw error;
      name(line, error.message);
      bad += 1;
      if (bad === MAX_BAD)
        throw new OperatorError(`${bad} bad ${unit}s and perhaps more; nothing was imported`);
    }
  };

  try {
    for await (const record of readRecords(readFile(file, progress))) {
      unit = record.unit;
      take(record);
      if (batch.length === BATCH) await underway.stage(batch.splice(0));
    }
    if (bad > 0) throw new OperatorError(`${bad} bad ${unit}${bad === 1 ? '' : 's'}; nothing was imported`);
    await underway.stage(batch);
  } catch (error) {
    await underway.abandon();
    throw error;
  }
  const conflicts = await underway.commit(deciding);
  for (const { line, id } of conflicts.slice(0, MAX_BAD)) name(line, `the store already has ${noun} ${id}`);
  if (conflicts.length > 0) {
    throw new OperatorError(`${conflicts.length} of these ids already exist; nothing was imported`);
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
