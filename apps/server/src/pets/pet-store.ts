import type { Pet } from '@petstore/contract';
import type { Import } from '../database/import.ts';

/** A pet to import, with the line of the file it comes from. The store issues an id where there is none. */
export interface PetToImport extends Pet {
  readonly line: number;
}

/** Where pets are kept. Every method throws StoreUnavailable while the database cannot be asked. */
export interface PetStore {
  find(id: bigint): Promise<Pet | undefined>;
  beginImport(): Promise<Import<PetToImport>>;
}
