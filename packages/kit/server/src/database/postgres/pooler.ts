import type { PoolClient } from 'pg';
import { OperatorError } from '../../operator-error.ts';
import type { PostgresDatabase } from './database.ts';

/**
 * Throws a OperatorError if a pooler shares the connections of PostgreSQL by transaction or statement, as PgBouncer can:
 * two open connections then do not keep a server process each, so prepared statements and temporary tables get lost.
 */
export async function assertOwnConnections(database: PostgresDatabase): Promise<void> {
  const clients = [await database.connect()];
  // A server that has only one connection left is of use too.
  await database
    .connect()
    .then((second) => clients.push(second))
    .catch(() => undefined);
  const processes: (number | undefined)[] = [];
  try {
    for (const client of [...clients, ...clients]) processes.push(await serverProcessOf(client));
  } finally {
    for (const client of clients) client.release();
  }
  const areOwn = clients.every((_, index) => processes[index] === processes[index + clients.length]);
  if (areOwn && new Set(processes).size === clients.length) return;
  throw new OperatorError(
    'DATABASE_URL leads to a pooler in transaction or statement mode, such as PgBouncer: use its session mode, or connect to PostgreSQL directly',
  );
}

async function serverProcessOf(client: PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}
