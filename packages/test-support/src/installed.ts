import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The path of a program; undefined if it is not installed. */
export function findProgram(name: string, ...folders: string[]): string | undefined {
  const everywhere = [...folders, ...(process.env['PATH'] ?? '').split(path.delimiter)];
  return everywhere.map((folder) => path.join(folder, name)).find(existsSync);
}

/** Debian's folders for the programs of PostgreSQL, newest first. */
function postgresFolders(root = '/usr/lib/postgresql'): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(root, version, 'bin'));
}

/** The path of each program, and its Debian package. */
const PROGRAMS = {
  PostgreSQL: [findProgram('postgres', ...postgresFolders()), 'postgresql'],
  Redis: [findProgram('redis-server') ?? findProgram('valkey-server'), 'redis-server'],
  // Debian's place for it, which may not be in PATH.
  nginx: [findProgram('nginx', '/usr/sbin'), 'nginx-light'],
  Chromium: [
    findProgram('chromium') ?? findProgram('chromium-browser') ?? findProgram('google-chrome'),
    'chromium',
  ],
  curl: [findProgram('curl'), 'curl'],
  OpenSSL: [findProgram('openssl'), 'openssl'],
  Python: [findProgram('python3'), 'python3'],
  systemd: [findProgram('systemd-analyze'), 'systemd'],
  promtool: [findProgram('promtool'), 'prometheus'],
  PgBouncer: [findProgram('pgbouncer', '/usr/sbin'), 'pgbouncer'],
  unshare: [findProgram('unshare'), 'util-linux'],
  ip: [findProgram('ip', '/usr/sbin'), 'iproute2'],
  strace: [findProgram('strace'), 'strace'],
  wrk: [findProgram('wrk'), 'wrk'],
} as const;

export type ProgramName = keyof typeof PROGRAMS;

/** Names the missing programs among `names`, and their packages; undefined if all are installed. */
export function notInstalled(...names: readonly ProgramName[]): string | undefined {
  const missing = names.filter((name) => PROGRAMS[name][0] === undefined);
  if (missing.length === 0) return undefined;
  const packages = missing.map((name) => PROGRAMS[name][1]).join(' ');
  return `not installed: ${missing.join(' and ')} (Debian and Ubuntu: apt-get install ${packages})`;
}

/** The path of a program. Throws an Error that names its package if it is not installed. */
export function pathOf(name: ProgramName): string {
  const [file] = PROGRAMS[name];
  if (file === undefined) throw new Error(notInstalled(name));
  return file;
}
