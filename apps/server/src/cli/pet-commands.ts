import type { Command } from 'commander';
import { importFile } from './import-file.ts';
import { withStore } from './with-store.ts';
import { parsePet } from '../pets/pet-record.ts';

export function addPetCommands(program: Command): void {
  const pets = program.command('pets').description('import pets');

  pets
    .command('import')
    .description('import pets, all of the file or nothing')
    .argument('<file>', 'a JSON array or NDJSON of pets; - reads standard input')
    .option('--json', 'print JSON')
    .action((file: string, options: { json?: boolean }) =>
      withStore((store) =>
        importFile({ file, options, noun: 'pet', parse: parsePet, begin: () => store.pets.beginImport() }),
      ),
    );
}
