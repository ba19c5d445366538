import { mkdirSync } from 'node:fs';
import { pathOf } from './installed.ts';
import { ask, startProgram, untilReady, type Program, type ServerOptions } from './program.ts';

export interface RedisOptions extends ServerOptions {
  /** Further settings, as on its command line: `['--appendonly', 'yes']`. By default it keeps nothing on disk. */
  readonly settings?: readonly string[];
}

/** Starts Redis or Valkey on a loopback port, by default without a password, and resolves when it responds. */
export async function startRedisServer(options: RedisOptions): Promise<Program> {
  const { folder, port, settings = [], log, detached } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const server = startProgram(pathOf('Redis'), [...args, ...settings], { detached, log });
  await untilReady(server, async () => /^(\+PONG|-NOAUTH)/.test((await ask(port, 'PING\r\n')) ?? ''));
  return server;
}
