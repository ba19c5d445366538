import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathOf } from './installed.ts';
import { startProgram, untilReady, type Program, type ServerOptions } from './program.ts';

export interface PostgresOptions extends ServerOptions {
  readonly maxConnections: number;
  /** Never waits for the disk: for a temporary server. */
  readonly isThrownAway: boolean;
  /** The port of the server that it copies and follows, if it has no data yet. */
  readonly standbyOf?: number | undefined;
}

/**
 * Starts PostgreSQL for the user `postgres`, without a password. For root it runs as Debian's user, who
 * must be able to enter the folders above `folder` (mode 0711).
 */
export async function startPostgresServer(options: PostgresOptions): Promise<Program> {
  const postgres = pathOf('PostgreSQL');
  const { folder, port, maxConnections, isThrownAway, standbyOf, log, detached } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const user = unprivileged(folder);
  const data = path.join(folder, 'data');
  if (!existsSync(data)) {
    const [program, ...args] =
      standbyOf === undefined
        ? ['initdb', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8']
        : // It also writes the settings of a standby.
          ['pg_basebackup', '-R', '-c', 'fast', '-h', '127.0.0.1', '-p', String(standbyOf), '-U', 'postgres'];
    if (isThrownAway) args.push('--no-sync');
    const file = path.join(path.dirname(postgres), program);
    execFileSync(file, ['-D', data, ...args], { ...user, stdio: ['ignore', 'ignore', 'pipe'], cwd: folder });
  }
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    `max_connections=${maxConnections}`,
    ...(isThrownAway ? ['fsync=off', 'full_page_writes=off'] : []),
  ];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const server = startProgram(postgres, args, {
    ...user,
    cwd: folder,
    detached,
    log,
    // Fast shutdown, which cuts connections, and immediate shutdown.
    signals: ['SIGINT', 'SIGQUIT'],
  });
  await untilReady(server, () => isReady(path.join(data, 'postmaster.pid'), server.child.pid));
  return server;
}

/** The file of `pg_ctl start --wait`: the server writes its pid and, once it accepts connections, `ready`. */
function isReady(file: string, pid: number | undefined): boolean {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

/** If this process is root, gives `folder` to the user `postgres`. Returns the user to run as. */
function unprivileged(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])));
  if (uid === undefined || gid === undefined) return {};
  chownSync(folder, uid, gid);
  return { uid, gid };
}
