import type { Command } from 'commander';
import { addImportCommand } from './import-command.ts';
import { parsePet } from '../pets/pet-record.ts';

export function addPetCommands(program: Command): void {
  const pets = program.command('pets').description('import pets');
  addImportCommand(pets, {
    noun: 'pet',
    file: 'a JSON array or NDJSON of pets',
    parse: parsePet,
    begin: (store) => store.pets.beginImport(),
  });
}
