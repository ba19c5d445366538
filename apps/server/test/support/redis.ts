import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Program, freePort, startRedisServer } from '@petstore/local-stack';

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
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-redis-'));
  const port = await freePort();
  let server: Program | undefined;

  async function start(): Promise<void> {
    server = await startRedisServer({ folder, port, settings });
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
