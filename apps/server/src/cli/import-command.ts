import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Import } from '../database/import.ts';
import { asSetupError, SetupError } from '../setup-error.ts';
import type { Store } from '../store/store.ts';
import { InvalidRecord } from '../validation/record-schema.ts';
import { addPrintingCommand, print, type Output } from './output.ts';
import { createProgress, type ProgressBar } from './progress.ts';
import { readRecords } from './records.ts';
import { withStore } from './with-store.ts';

const BATCH = 2_000;
/** Bad lines that are named before an import gives up reading on. */
const MAX_BAD_LINES = 1_000;

export interface ImportOptions<Item> {
  readonly noun: string;
  /** What the file is, for the help. */
  readonly file: string;
  /** Turns a value of the file into an item; throws InvalidRecord. */
  readonly parse: (value: unknown) => Item;
  readonly begin: (store: Store) => Promise<Import<Item & { line: number }>>;
}

/** Adds a command that imports a file whole or not at all, and names every bad line on stderr. */
export function addImportCommand<Item extends { id?: number }>(
  parent: Command,
  options: ImportOptions<Item>,
): void {
  const { noun, file: described, begin } = options;
  addPrintingCommand(parent, 'import', `import ${noun}s, all of the file or nothing`)
    .argument('<file>', `${described}; - reads standard input`)
    .action(async (file: string, output: Output) => {
      const started = performance.now();
      const progress = createProgress();
      const count = await withStore(async (store) =>
        importRecords(readFile(file, progress), await begin(store), options, progress),
      )
        .catch((error: unknown) => {
          throw asSetupError(`cannot import ${file}`, error, 'nothing was imported');
        })
        .finally(() => progress.stop());
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const things = `${count} ${noun}${count === 1 ? '' : 's'}`;
      print(output, { imported: count }, `Imported ${things} in ${seconds} s.`);
    });
}

/** Resolves to how many records were imported. A file that is bad only in ids that the store has already names those. */
async function importRecords<Item extends { id?: number }>(
  chunks: AsyncIterable<string>,
  underway: Import<Item & { line: number }>,
  { noun, parse }: ImportOptions<Item>,
  progress: ProgressBar,
): Promise<number> {
  const lineOfId = new Map<number, number>();
  const batch: (Item & { line: number })[] = [];
  let count = 0;
  let bad = 0;
  const complain = (line: number, reason: string): void => {
    bad += 1;
    progress.interrupt(() => console.error(`line ${line}: ${reason}`));
    if (bad === MAX_BAD_LINES)
      throw new SetupError(`${bad} bad lines and perhaps more; nothing was imported`);
  };

  try {
    for await (const { line, value, fault } of readRecords(chunks)) {
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
    await underway.abandon();
    throw error;
  }
  const conflicts = await underway.commit();
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
