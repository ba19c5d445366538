import type { Pet } from '@petstore/contract';
import { recordCheck } from '../validation/record-schema.ts';

/** A pet of an import file. Throws InvalidRecord. */
export const parsePet = recordCheck<Pet>('Pet');
