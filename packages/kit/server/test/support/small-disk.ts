import path from 'node:path';
import { freePort, pathOf, startProgram } from '@contract-kit/test-support';
import { newFolder, stopAtEnd, until } from '@contract-kit/test-support/testing';
import pg from 'pg';

/** A PostgreSQL database on a disk of 16 MB. Another user runs its server, which refuses to run as root. */
export async function startOnSmallDisk() {
  const [disk, data] = [newFolder(), path.join(newFolder(), 'data')];
  const port = await freePort();
  const postgres = pathOf('PostgreSQL');
  const create = `${path.dirname(postgres)}/initdb -D ${data} -U postgres -A trust --no-sync`;
  const serve = `${postgres} -D ${data} -p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
  const asUser = `unshare --map-user=1000 --map-group=1000 sh -c '${create} && exec ${serve}'`;
  const script = `mount -t tmpfs -o size=16m tmpfs ${disk} && exec ${asUser}`;
  const server = startProgram('unshare', ['--map-root-user', '--mount', 'sh', '-c', script]);
  stopAtEnd('database', () => server.end('SIGINT'));
  const at = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`;
  const query = async (sql: string, database = 'shop') => {
    const client = new pg.Client(at(database));
    await client.connect();
    return client.query(sql).finally(() => client.end());
  };
  await until(() => query('SELECT 1', 'postgres').then(Boolean, () => false));
  await query(`CREATE TABLESPACE small LOCATION '${disk}'`, 'postgres');
  await query('CREATE DATABASE shop TABLESPACE small', 'postgres');
  return {
    url: at('shop'),
    query,
    /** Fills the disk. */
    fill: async () => {
      await query('CREATE TABLE filler (text text)');
      for (const rows of [1_000, 10, 1]) {
        const add = `INSERT INTO filler SELECT repeat('x', 1000) FROM generate_series(1, ${rows})`;
        await until(() =>
          query(add).then(
            () => false,
            (error: { code?: string }) => error.code === '53100',
          ),
        );
      }
    },
    /** Makes room again. */
    empty: () => query('DROP TABLE filler'),
  };
}
