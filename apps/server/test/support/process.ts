import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';

/** A free port on the loopback address. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Where a program of this machine is; undefined if it is not installed. */
export function findProgram(name: string, ...folders: string[]): string | undefined {
  const everywhere = [...folders, ...(process.env['PATH'] ?? '').split(path.delimiter)];
  return everywhere.map((folder) => path.join(folder, name)).find(existsSync);
}

/** The folders that Debian keeps the programs of PostgreSQL in, newest first. */
export function postgresFolders(root = '/usr/lib/postgresql'): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(root, version, 'bin'));
}

/** PostgreSQL refuses to run as root; then it runs as the user that Debian makes for it. */
export function unprivileged(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])));
  if (uid === undefined || gid === undefined) return {};
  chownSync(folder, uid, gid);
  return { uid, gid };
}

export interface Program {
  readonly child: ChildProcess;
  /** Ends it with `signal` and resolves when it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

export function startProgram(file: string, args: string[], options: object = {}): Program {
  const child = spawn(file, args, { stdio: 'ignore', ...options });
  return {
    child,
    async end(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}
