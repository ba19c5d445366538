import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Import, ImportConflict } from '../database/import.ts';
import { InvalidRecord } from '../validation/record-schema.ts';
import { SetupError } from '../setup-error.ts';
import { print } from './output.ts';
import { createProgress, type ProgressBar } from './progress.ts';
import { readRecords } from './records.ts';

const BATCH = 2_000;
/** Bad lines that are named before an import gives up reading on. */
const MAX_BAD_LINES = 1_000;

export interface ImportFileOptions<Item> {
  readonly file: string;
  readonly options: { json?: boolean };
  readonly noun: string;
  /** Turns a value of the file into an item; throws InvalidRecord. */
  readonly parse: (value: unknown) => Item;
  readonly begin: () => Promise<Import<Item & { line: number }>>;
}

/**
 * Imports a file whole or not at all. Every bad line is named on stderr; a file that is bad only in ids that the
 * store has already names those. Throws a SetupError that sums up.
 */
export async function importFile<Item extends { id?: number }>({
  file,
  options,
  noun,
  parse,
  begin,
}: ImportFileOptions<Item>): Promise<void> {
  const started = performance.now();
  const input = await open(file);
  const underway = await begin();
  const lineOfId = new Map<number, number>();
  const batch: (Item & { line: number })[] = [];
  let count = 0;
  let bad = 0;
  const complain = (line: number, reason: string): void => {
    bad += 1;
    input.progress.interrupt(() => console.error(`line ${line}: ${reason}`));
    if (bad === MAX_BAD_LINES)
      throw new SetupError(`${bad} bad lines and perhaps more; nothing was imported`);
  };

  try {
    for await (const { line, value, fault } of readRecords(input.chunks)) {
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
      if (batch.length === BATCH) await underway.stage(batch.splice(0));
    }
    if (bad > 0) throw new SetupError(`${bad} bad ${bad === 1 ? 'line' : 'lines'}; nothing was imported`);
    await underway.stage(batch);
  } catch (error) {
    input.progress.stop();
    await underway.abandon();
    throw error instanceof SetupError ? error : fileError(file, error);
  }
  const conflicts = await commit(underway, file).finally(() => input.progress.stop());
  for (const { line, id } of conflicts.slice(0, MAX_BAD_LINES)) {
    console.error(`line ${line}: the store has ${noun} ${id} already`);
  }
  if (conflicts.length > 0) {
    throw new SetupError(`${conflicts.length} of these ids are taken already; nothing was imported`);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const things = `${count} ${noun}${count === 1 ? '' : 's'}`;
  print(options, { imported: count }, `Imported ${things} in ${seconds} s.`);
}

async function commit<Item>(underway: Import<Item>, file: string): Promise<ImportConflict[]> {
  try {
    return await underway.commit();
  } catch (error) {
    throw fileError(file, error);
  }
}

interface Input {
  readonly chunks: AsyncIterable<string>;
  readonly progress: Pick<ProgressBar, 'interrupt' | 'stop'>;
}

async function open(file: string): Promise<Input> {
  if (file === '-') {
    process.stdin.setEncoding('utf8');
    return {
      chunks: process.stdin as AsyncIterable<string>,
      progress: { interrupt: (print) => print(), stop: () => {} },
    };
  }
  const { size } = await stat(file).catch((error: unknown) => {
    throw fileError(file, error);
  });
  const progress = createProgress();
  const stream = createReadStream(file, { encoding: 'utf8' });
  async function* chunks(): AsyncGenerator<string> {
    progress.start(size);
    for await (const chunk of stream as AsyncIterable<string>) {
      yield chunk;
      progress.update(stream.bytesRead);
    }
  }
  return { chunks: chunks(), progress };
}

function fileError(file: string, error: unknown): SetupError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    ENOENT: 'there is no such file',
    EACCES: 'it may not be read by this user',
    EISDIR: 'it is a folder',
    SQLITE_BUSY: 'another process keeps the database locked; try again in a moment',
    SQLITE_CONSTRAINT_CHECK: 'there are no ids left for those that have none',
  };
  return new SetupError(`cannot import ${file}: ${reasons[code ?? ''] ?? message}; nothing was imported`, {
    cause: error,
  });
}
