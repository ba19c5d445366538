import { type Program, freePort, startRedisServer } from '../index.ts';
import { stopAtEnd } from './at-end.ts';
import { newFolder } from './folder.ts';

export type TestRedis = Awaited<ReturnType<typeof startRedis>>;

/** A Redis or Valkey server on a free loopback port, in a temporary folder. It stops with the suite. */
export async function startRedis(...settings: string[]) {
  const folder = newFolder();
  const port = await freePort();
  let server: Program | undefined;

  async function start(): Promise<void> {
    server = await startRedisServer({ folder, port, settings });
  }

  // A frozen server handles no other signal.
  const stop = async () => server?.end('SIGKILL');
  stopAtEnd('database', stop);
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    /** Stops responding until `thaw`, without closing connections. */
    freeze: () => void server?.child.kill('SIGSTOP'),
    thaw: () => void server?.child.kill('SIGCONT'),
  };
}
