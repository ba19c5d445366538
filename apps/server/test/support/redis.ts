import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { until } from './until.ts';
import { findProgram, freePort, startProgram, type Program } from './process.ts';

const program = findProgram('redis-server') ?? findProgram('valkey-server');

export const hasRedis = program !== undefined;

export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops answering without closing anything, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Stops it for good and removes its files. */
  remove(): Promise<void>;
}

/** A Redis or Valkey server of this test's own, on a free loopback port, in a temporary folder. */
export async function startRedis(...settings: string[]): Promise<TestRedis> {
  if (!program) throw new Error('neither Redis nor Valkey is installed');
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-redis-'));
  const port = await freePort();
  let server: Program | undefined;

  async function start(): Promise<void> {
    const args = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
    ];
    server = startProgram(program as string, [...args, ...settings]);
    await until(async () => {
      const socket = net.connect(port, '127.0.0.1');
      return once(socket, 'connect')
        .then(
          () => true,
          () => false,
        )
        .finally(() => socket.destroy());
    });
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop: async () => server?.end(),
    freeze: () => void server?.child.kill('SIGSTOP'),
    thaw: () => void server?.child.kill('SIGCONT'),
    async remove() {
      await server?.end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
