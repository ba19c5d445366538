import type { Command } from 'commander';
import { addImportCommand, type WithStore } from '@contract-kit/server';
import type { PetStore } from './pet-store.ts';

export function addPetCommands(program: Command, withStore: WithStore<PetStore>): void {
  const pets = program.command('pets').description('import pets');
  addImportCommand(pets, {
    withStore,
    noun: 'pet',
    file: 'NDJSON of pets, or a JSON array of at most 64 MB',
    loadParse: async () => (await import('./pet-record.ts')).parsePet,
    begin: (store) => store.beginImport(),
  });
}
