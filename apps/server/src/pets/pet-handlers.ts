import { problem } from '../http/api-error.ts';
import type { HandlersUnder } from '../pipeline/handler.ts';
import type { Services } from '../services.ts';

export function petHandlers({ pets }: Services): HandlersUnder<'/pets'> {
  return {
    async getPet({ path: { petId } }) {
      const pet = await pets.find(petId);
      return pet ? { status: 200, body: pet } : problem('pet_not_found', `No pet has the id ${petId}.`);
    },
  };
}
