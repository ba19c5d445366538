import { errorReply } from '../http/api-error.ts';
import type { HandlersUnder } from '../pipeline/handler.ts';
import type { PetStore } from './pet-store.ts';

export interface PetServices {
  readonly pets: PetStore;
}

export function petHandlers({ pets }: PetServices): HandlersUnder<'/pets'> {
  return {
    async getPet({ path: { petId } }) {
      const pet = await pets.find(petId);
      return pet ? { status: 200, body: pet } : errorReply('pet_not_found', `No pet has the id ${petId}.`);
    },
  };
}
