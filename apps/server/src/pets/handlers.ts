import { errorResponse, type Handlers, type Services } from '@contract-kit/server';
import type { Operations } from '@petstore/contract';
import type { PetStore } from './pet-store.ts';

type Handled = Pick<Operations, 'getPet'>;

export function petHandlers({ store }: Services<PetStore>): Handlers<Handled> {
  return {
    async getPet({ path: { petId } }) {
      const pet = await store.find(petId);
      return pet
        ? { status: 200, body: pet }
        : errorResponse(404, 'pet_not_found', `No pet has the id ${petId}.`);
    },
  };
}
