/* What the trial's client takes and returns, held by the compiler: each row of docs/contract.md that is about types. */
import type { Data, Input, Petstore } from '../../../client/src/index.ts';

declare const petstore: Petstore;
declare const pet: Data<'getPet'>;

/* Parameters stand side by side; what is optional or has a default may be left out; int64 is a number, a bigint or digits. */
void petstore.findPets();
void petstore.findPets({
  limit: 5,
  after: 7n,
  kind: 'dog',
  tag: ['a'],
  pet: [1, 2n, '3'],
  age: null,
  'X-Depth': 2,
});
void petstore.getPet({ petId: '9007199254740993', 'If-None-Match': '"7"' });
void petstore.getShelf({ shop: '', shelf: 'A', row: 2, open: true, price: 0.5 });
// @ts-expect-error a parameter that is missing
void petstore.getPet({});
// @ts-expect-error a value that is not among those of the contract
void petstore.findPets({ kind: 'horse' });
// @ts-expect-error a parameter that the contract does not have
void petstore.findPets({ page: 1 });
// @ts-expect-error a boolean that is text
void petstore.findPets({ sold: 'yes' });

/* Replies. */
pet.id satisfies number;
pet.owner satisfies string | null;
