import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Repository } from '../support/repository.ts';

const MIGRATION = `CREATE TABLE bookings (id text PRIMARY KEY, room text NOT NULL, starts text NOT NULL, note text,
  UNIQUE (room, starts));
`;
const STORE = `import { columnNames, itemOf, type Database, type Row, type Table } from '@contract-kit/server';
import type { components } from '@my-bookings/contract';

export type Booking = components['schemas']['Booking'];

export const bookings: Table<Booking> = {
  name: 'bookings',
  columns: {
    id: { column: 'id', holds: 'text' },
    room: { column: 'room', holds: 'text' },
    starts: { column: 'starts', holds: 'text' },
    note: { column: 'note', holds: 'text' },
  },
};

export function createStore({ query, transaction }: Database) {
  return {
    async list() {
      const rows = await query<Row>(\`SELECT \${columnNames(bookings).join(', ')} FROM bookings ORDER BY starts\`);
      return rows.map((row) => itemOf(bookings, row));
    },
    add: ({ id, room, starts }: Booking) =>
      transaction(async (run) => {
        await run('DELETE FROM bookings WHERE room = $1 AND starts < $2', [room, starts]);
        await run('INSERT INTO bookings (id, room, starts) VALUES ($1, $2, $3)', [id, room, starts]);
      }),
  };
}

export type Store = ReturnType<typeof createStore>;
`;
const FEATURE = `import path from 'node:path';
import type { Feature } from '@contract-kit/server';
import { handlers } from './handlers.ts';
import { createStore, type Store } from './store.ts';

export const feature: Feature<Store, ReturnType<typeof handlers>> = {
  migrations: path.join(import.meta.dirname, 'migrations'),
  open: createStore,
  handlers,
};
`;
const LIST = 'listBookings: async () => ({ status: 200, body: await store.list() })';
const CREATE = `async createBooking({ body }) {
      const booking = { ...body, id: randomUUID() };
      try {
        await store.add(booking);
      } catch (error) {
        if (!(error instanceof ConstraintError)) throw error;
        return { status: 409, body: { title: 'The room is taken.', status: 409 } };
      }
      return { status: 201, body: booking };
    }`;

/** Implements two operations of bookings, with a table. */
export function storeBookings({ file, edit }: Repository): void {
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(file(name)), { recursive: true });
    writeFileSync(file(name), text);
  };
  for (const engine of ['sqlite', 'postgres'])
    write(`apps/server/src/api/migrations/${engine}/0001-bookings.sql`, MIGRATION);
  write('apps/server/src/api/store.ts', STORE);
  write('apps/server/src/api/feature.ts', FEATURE);
  edit('apps/server/src/api/handlers.ts', (text) =>
    text
      .replace(
        'import { notYet',
        `import { randomUUID } from 'node:crypto';\nimport { ConstraintError, notYet`,
      )
      .replace('_services', '{ store }')
      .replace('listBookings: notYet', LIST)
      .replace('createBooking: notYet', CREATE),
  );
}
