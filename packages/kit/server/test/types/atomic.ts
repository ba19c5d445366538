/* Compiled by `npm run typecheck`, never run: each mistake must be an error on exactly its line. */
import { atomic, type Handlers } from '../../src/index.ts';

interface Operations {
  createLoan: {
    path: '/loans';
    caller: 'key';
    received: { body: { bookId: number } };
    responses: {
      201: { headers: { Location: string }; own: 'Location'; body: { id: number; kind: 'short' | 'long' } };
      404: { headers: {}; own: never; codes: 'book_not_found'; body: unknown };
    };
  };
}

const transaction = <Result>(work: () => Promise<Result>) => work();

export const handlers: Handlers<Operations> = {
  createLoan: atomic(({ body: { bookId } }, { log }) => {
    log.info({ bookId }, 'lent');
    if (bookId === 0) return { status: 404, body: { code: 'book_not_found', message: 'None.', status: 404 } };
    const body = { id: bookId, kind: 'short' } as const;
    return transaction(() =>
      Promise.resolve({ status: 201, headers: { Location: '/loans/1' }, body } as const),
    );
  }),
};

export const inferred: Handlers<Operations> = {
  createLoan: atomic(({ body }) => ({
    status: 201,
    headers: { Location: '/loans/1' },
    body: { id: body.bookId, kind: 'short' },
  })),
};

export const wrongStatus: Handlers<Operations> = {
  // @ts-expect-error the contract has no 200
  createLoan: atomic(() => ({ status: 200 })),
};

export const wrongInput: Handlers<Operations> = {
  createLoan: atomic(({ body }) => ({
    status: 201,
    headers: { Location: '/loans/1' },
    // @ts-expect-error the body has no loanId
    body: { id: String(body.loanId).length, kind: 'short' },
  })),
};
