/* What the trial's handlers are given and may answer, held by the compiler: each row of docs/contract.md that is about types. */
import type { Handler } from '../../../../apps/server/src/pipeline/handler.ts';

type InputOf<Name extends Parameters<typeof name>[0]> = Parameters<Handler<Name>>[0];
declare function name(id: keyof import('../../../contract/src/index.ts').Operations): void;

declare const find: InputOf<'findPets'>;
declare const create: InputOf<'createPet'>;
declare const replace: InputOf<'replacePet'>;
declare const shelf: InputOf<'getShelf'>;

/* Parameters: what has a default is always there, what has none may be missing, int64 is a bigint. */
find.query.limit satisfies number;
find.query.after satisfies bigint;
find.query.sold satisfies boolean;
find.query.kind satisfies 'dog' | 'cat' | 'fish' | undefined;
find.query.age satisfies number | null | undefined;
find.query.pet satisfies readonly bigint[] | undefined;
find.query.color satisfies readonly ('black' | 'white' | 'red')[] | undefined;
find.headers['X-Depth'] satisfies number;
find.headers['X-Snapshot'] satisfies bigint | undefined;
create.headers['Idempotency-Key'] satisfies string;
shelf.path.row satisfies 1 | 2 | 3;
shelf.path.open satisfies boolean;
replace.path.petId satisfies bigint;
// @ts-expect-error it has no default
find.query.name satisfies string;
// @ts-expect-error a header is called what the contract calls it
find.headers['x-depth'] satisfies number;
// @ts-expect-error it is exact
find.query.after satisfies number;
