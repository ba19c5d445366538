import type { Command } from 'commander';
import { addImportCommand } from './import-command.ts';

export function addPetCommands(program: Command): void {
  const pets = program.command('pets').description('import pets');
  addImportCommand(pets, {
    noun: 'pet',
    file: 'NDJSON of pets, or a JSON array of at most 64 MB',
    loadParse: async () => (await import('../pets/pet-record.ts')).parsePet,
    begin: (store) => store.pets.beginImport(),
  });
}
