/* The types of handlers of the kitchen-sink contract, checked by the compiler. */
import type { Handler as HandlerOf } from '@kit/server';
import type { Operations } from '@petstore/contract';

type Handler<Id extends keyof Operations> = HandlerOf<Operations[Id]>;
type InputOf<Id extends keyof Operations> = Parameters<Handler<Id>>[0];

declare const find: InputOf<'findBooks'>;
declare const create: InputOf<'createBook'>;
declare const replace: InputOf<'replaceBook'>;
declare const shelf: InputOf<'getShelf'>;
declare const change: InputOf<'changeBook'>;
declare const payment: InputOf<'pay'>;

/* Parameters: what has a default is always there, what has none may be missing, int64 is a bigint. */
find.query.limit satisfies number;
find.query.after satisfies bigint;
find.query.lost satisfies boolean;
find.query.age satisfies number | null | undefined;
find.query.edition satisfies bigint | null | undefined;
find.query.book satisfies readonly bigint[] | undefined;
find.query.color satisfies readonly ('black' | 'white' | 'red')[] | undefined;
find.headers['X-Depth'] satisfies number;
find.headers['X-Snapshot'] satisfies bigint | undefined;
create.headers['Idempotency-Key'] satisfies string;
shelf.path.row satisfies 1 | 2 | 3;
shelf.path.open satisfies boolean;
// @ts-expect-error it has no default
find.query.name satisfies string;
// @ts-expect-error a header is called what the contract calls it
find.headers['x-depth'] satisfies number;

/* Bodies: a default is filled in, what is readOnly never arrives, an optional body may be missing. */
replace.body.kind satisfies 'novel' | 'poem' | 'play';
replace.body.count satisfies number;
replace.body.secret satisfies string | undefined;
replace.body.bookId satisfies number | undefined;
replace.body.id satisfies undefined;
change.body?.name satisfies string | undefined;
// @ts-expect-error the body is optional
void change.body.name;
if (payment.body.method === 'card') payment.body.number satisfies string;
// @ts-expect-error only a card has a number
else payment.body.number satisfies string;

/* Replies: writeOnly never leaves, headers are required or not as the contract says. */
const book = { id: 7, name: 'Emma', kind: 'novel', author: null } as const;
(() => ({ status: 200, body: book })) satisfies Handler<'getLatestBook'>;
(() => ({ status: 304 })) satisfies Handler<'getBook'>;
(() => ({ status: 303, headers: { Location: '/' } })) satisfies Handler<'pay'>;
(() => ({ status: 200, body: 'id' })) satisfies Handler<'getReport'>;
(() => ({ status: 200, body: true })) satisfies Handler<'getStatus'>;
// @ts-expect-error an ETag is required
(() => ({ status: 200, body: book })) satisfies Handler<'getBook'>;
// @ts-expect-error it is writeOnly
(() => ({ status: 200, body: { ...book, secret: 'ink' } })) satisfies Handler<'getLatestBook'>;
// @ts-expect-error 303 says where
(() => ({ status: 303 })) satisfies Handler<'pay'>;
