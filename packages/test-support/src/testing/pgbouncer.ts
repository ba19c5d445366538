import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ask, freePort, pathOf, startProgram } from '../index.ts';
import { stopAtEnd } from './at-end.ts';
import { newFolder } from './folder.ts';
import { until } from './until.ts';

export interface PgBouncerOptions {
  /** The URL of the database behind it. */
  readonly database: string;
  /** Further lines of its configuration, such as `pool_mode = session`. */
  readonly settings: readonly string[];
}

/** PgBouncer on a free loopback port, in front of one database. Resolves to the URL of the database through it. */
export async function startPgBouncer({ database, settings }: PgBouncerOptions): Promise<string> {
  const { hostname, port: behind, username, pathname } = new URL(database);
  const port = await freePort();
  const file = path.join(newFolder(), 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${behind} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    ...settings,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
  const pooler = startProgram(pathOf('PgBouncer'), [...user, file]);
  stopAtEnd('database', () => pooler.end('SIGKILL'));
  // It responds to a request for TLS with one letter.
  const sslRequest = '\u0000\u0000\u0000\u0008\u0004\u00d2\u0016\u002f';
  await until(async () => (await ask(port, sslRequest)) !== undefined);
  return `postgresql://${username}@127.0.0.1:${port}${pathname}`;
}
