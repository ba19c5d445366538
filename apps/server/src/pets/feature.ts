import path from 'node:path';
import type { Feature } from '@contract-kit/server';
import { addPetCommands } from './commands.ts';
import { petHandlers } from './handlers.ts';
import { createPetStore, type PetStore } from './pet-store.ts';

const demoPets = [
  { id: 3, name: 'Goldie' },
  { id: 7, name: 'Mimi' },
  { id: 12, name: 'Rex' },
];

export const pets: Feature<PetStore, ReturnType<typeof petHandlers>> = {
  migrations: path.join(import.meta.dirname, 'migrations'),
  open: createPetStore,
  handlers: petHandlers,
  commands: addPetCommands,
  async demo(store) {
    const underway = await store.beginImport();
    await underway.stage(demoPets.map((pet, index) => ({ ...pet, line: index + 1 })));
    // Keeps existing pets.
    await underway.commit();
  },
};
