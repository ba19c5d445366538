import type { PoolClient } from 'pg';
import { OperatorError } from '../../operator-error.ts';
import type { PostgresDatabase } from './database.ts';

/**
 * Throws an OperatorError if a pooler, such as PgBouncer, shares connections by transaction or statement. Two open
 * connections then share a server process, and prepared statements and temporary tables get lost.
 */
export async function assertNoTransactionPooler(database: PostgresDatabase): Promise<void> {
  const clients = [await database.connect()];
  // A server with one connection left is fine.
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
  const isOnePerClient = clients.every((_, index) => processes[index] === processes[index + clients.length]);
  if (isOnePerClient && new Set(processes).size === clients.length) return;
  throw new OperatorError(
    'DATABASE_URL is a pooler in transaction or statement mode, such as PgBouncer: use its session mode, or connect to PostgreSQL directly',
  );
}

async function serverProcessOf(client: PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}
