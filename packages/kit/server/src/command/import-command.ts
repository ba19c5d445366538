import type { Command } from 'commander';
import type { Import } from '../database/import-port.ts';
import { asOperatorError } from '../operator-error.ts';
import type { WithStore } from '../feature.ts';
import { addPrintingCommand, print, programName, type Output } from './output.ts';
import { withProgress } from './progress.ts';

export interface ImportOptions<Store, Item> {
  readonly withStore: WithStore<Store>;
  readonly noun: string;
  /** Describes the file in the help. */
  readonly file: string;
  /** Loads the parser of the file's values: loading it takes longer than most commands run. */
  readonly loadParse: () => Promise<(value: unknown) => Item>;
  readonly begin: (store: Store) => Promise<Import<Item>>;
}

/** Adds a command that imports a file whole or not at all, and names every bad line on stderr. */
export function addImportCommand<Store, Item extends { id?: number }>(
  parent: Command,
  { withStore, noun, file: described, loadParse, begin }: ImportOptions<Store, Item>,
): void {
  addPrintingCommand(parent, 'import', `import all ${noun}s of a file, or none`)
    .argument('<file>', `${described}; - reads standard input`)
    .action(async (file: string, output: Output) => {
      const { importFile } = await import('./import-file.ts');
      const parse = await loadParse();
      let outcome = 'nothing was imported';
      const deciding = () => void (outcome = 'either everything or nothing was imported');
      const count = await withProgress(
        { ...output, program: programName(parent) },
        () => outcome,
        (progress) =>
          withStore(
            async (store) => {
              const underway = await begin(store);
              const imported = await importFile({ file, noun, parse, underway, progress, deciding });
              outcome = 'everything was imported';
              return imported;
            },
            { mayCreate: true },
          ),
      ).catch((error: unknown) => {
        throw asOperatorError(`cannot import ${file}`, error, outcome);
      });
      const records = `${count} ${noun}${count === 1 ? '' : 's'}`;
      print(output, { imported: count }, `Imported ${records}.`);
    });
}
