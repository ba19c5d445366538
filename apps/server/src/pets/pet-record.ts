import { recordCheck } from '@kit/server';
import { contract, type Pet } from '@petstore/contract';

/** A pet of an import file. Throws InvalidRecord. */
export const parsePet = recordCheck<Pet>(contract.document, 'Pet');
