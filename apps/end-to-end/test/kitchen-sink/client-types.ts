/* The types of the client of the kitchen-sink contract, checked by the compiler. */
import type { Petstore } from '@petstore/client';
import { streamFindBooks, streamReplaceCategories } from '@petstore/client/stream';

declare const petstore: Petstore;
type Data<Id extends 'getLatestBook' | 'createBook' | 'pay'> = Awaited<ReturnType<Petstore[Id]>>;
declare const book: Data<'getLatestBook'>;
declare const created: Data<'createBook'>;
declare const paid: Data<'pay'>;

/* Parameters stand side by side; what is optional or has a default may be left out; int64 is a number, a bigint or digits. */
void petstore.findBooks();
void petstore.findBooks({
  limit: 5,
  after: 7n,
  kind: 'novel',
  tag: ['a'],
  book: [1, 2n, '3'],
  age: null,
  edition: null,
  'X-Depth': 2,
});
void petstore.getBook({ bookId: '9007199254740993', 'If-None-Match': '"7"' });
void petstore.getShelf({ shop: '', shelf: 'A', row: 2, open: true, price: 0.5, label: 'a/b' });
// @ts-expect-error a value that is not among those of the contract
void petstore.findBooks({ kind: 'song' });

/* Replies. */
book.author satisfies string | null;
created.price satisfies number;
if (paid?.method === 'card') paid.bank satisfies string | undefined;
// @ts-expect-error no other part of the allOf requires it
book.price satisfies number;
// @ts-expect-error it is writeOnly
void book.secret.length;

/* Bodies: fields beside the parameters, or the whole under `body` where a name would mean two things or there are no fields. */
const key = '5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a';
void petstore.createBook({ 'Idempotency-Key': key, name: 'Emma', author: null, secret: 'ink' });
void petstore.replaceBook({ bookId: 7, body: { name: 'Emma', author: 'Ada', bookId: 12 } });
void petstore.changeBook({ bookId: 7 });
void petstore.changeBook({ bookId: 7, body: { author: null } });
void petstore.replaceCategories({ body: [{ name: 'Novels', children: [{ name: 'Short novels' }] }] });
void petstore.setMotto({ body: null });
void petstore.pay({ body: { method: 'card', number: '4111' } });
void petstore.pay({ body: { method: 'invoice', email: 'ada@library.example', note: 'Thanks.' } });
void petstore.echoFormats({ counted: {} });
void petstore.echoFormats({ counted: { count: 2 } });
// @ts-expect-error it is readOnly
void petstore.createBook({ 'Idempotency-Key': key, name: 'Emma', author: null, id: 7 });
// @ts-expect-error its fields would stand beside the parameter of their name
void petstore.replaceBook({ bookId: 7, name: 'Emma', author: 'Ada' });
// @ts-expect-error it is readOnly
void petstore.pay({ body: { method: 'card', number: '4111', bank: 'First' } });
// @ts-expect-error an invoice has no number
void petstore.pay({ body: { method: 'invoice', number: '4111' } });
// @ts-expect-error the body is required
void petstore.setMotto({});

/* Streams: of what answers with a list, and doubles of it. */
streamFindBooks(petstore, { limit: 5 }) satisfies AsyncGenerator<{ name: string }>;
void streamReplaceCategories({ replaceCategories: async () => [{ name: 'Novels' }] }, { body: [] });
// @ts-expect-error the body is required
void streamReplaceCategories(petstore, {});
