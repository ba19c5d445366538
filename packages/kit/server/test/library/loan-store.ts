import type { Columns, Database, Import, Table } from '../../src/index.ts';

/** A loan as clients see it. */
export interface Loan {
  readonly id?: number;
  readonly bookId?: number;
  readonly days?: number;
  readonly dueDate?: string;
  readonly returned?: boolean;
}

/** A stored loan, with the key that cancelled it. */
export interface StoredLoan extends Loan {
  readonly cancelledBy?: string;
}

const loanColumns: Columns<Loan> = {
  id: { column: 'id', holds: 'integer' },
  bookId: { column: 'book_id', holds: 'integer' },
  days: { column: 'days', holds: 'integer' },
  dueDate: { column: 'due_date', holds: 'text' },
  returned: { column: 'returned', holds: 'boolean' },
};

export const loanTable: Table<StoredLoan> = {
  name: 'loans',
  columns: { ...loanColumns, cancelledBy: { column: 'cancelled_by', holds: 'text' } },
};

export type LoanStore = ReturnType<typeof createLoanStore>;

/** Stores loans. Every method throws StoreUnavailable while the database is unavailable. */
export function createLoanStore({ query, list, beginImport }: Database) {
  return {
    /** All loans as clients see them, by ascending id. */
    shown: list<Loan>({ table: 'loans', columns: loanColumns }),
    /** All loans by ascending id. */
    stored: list<StoredLoan>({ table: 'loans', columns: loanTable.columns }),

    /** Loans with a greater id, the least one first; at most 100. */
    after: (id: number): Promise<Loan[]> =>
      query<Loan>('SELECT id, book_id AS "bookId" FROM loans WHERE id > $1 ORDER BY id LIMIT 100', [id]),

    async create(bookId: number, days: number, dueDate: string): Promise<Loan> {
      const sql = 'INSERT INTO loans (book_id, days, due_date) VALUES ($1, $2, $3) RETURNING id';
      const [row] = await query<{ id: number }>(sql, [bookId, days, dueDate]);
      return { id: row?.id ?? 0, bookId, days, dueDate };
    },

    /** Cancels the loan unless it is returned, and records the time and the key of the first cancel. */
    async cancel(id: bigint, by: string, at: Date): Promise<'cancelled' | 'returned' | 'not_found'> {
      if (id > Number.MAX_SAFE_INTEGER) return 'not_found';
      const find = () =>
        query<{ by: string | null }>('SELECT cancelled_by AS by FROM loans WHERE id = $1', [String(id)]);
      let [loan] = await find();
      // A cancelled loan needs no write.
      if (loan?.by === null) {
        const change =
          'UPDATE loans SET cancelled_by = $2, cancelled_at = $3 WHERE id = $1 AND cancelled_by IS NULL AND returned IS NOT TRUE';
        await query(change, [String(id), by, at.toISOString()]);
        [loan] = await find();
      }
      if (!loan) return 'not_found';
      return loan.by === null ? 'returned' : 'cancelled';
    },

    beginImport: (): Promise<Import<StoredLoan>> => beginImport(loanTable),
  };
}
