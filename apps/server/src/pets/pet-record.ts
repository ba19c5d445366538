import { recordCheck } from '@contract-kit/server';
import { contract } from '@petstore/contract';
import type { Pet } from './pet-store.ts';

/** A pet of an import file. Throws InvalidRecord. */
export const parsePet = recordCheck<Pet>(contract.document, 'Pet');
