import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface PetstoreServer {
  readonly baseUrl: string;
  /** A new key of the Free plan: 60 requests a minute. */
  createKey(): string;
  stop(): Promise<void>;
}

const program = path.resolve(require.resolve('@petstore/server/package.json'), '../bin/petstore.js');

/** The real service, as a process of its own on a free loopback port, with these orders and pets in its store. */
export async function startPetstore(
  data: { readonly orders: readonly object[]; readonly pets?: readonly object[] },
  settings: Record<string, string> = {},
): Promise<PetstoreServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-'));
  const env = {
    ...process.env,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    ...settings,
  };
  const petstore = (...args: string[]) =>
    execFileSync(process.execPath, [program, ...args], { env, encoding: 'utf8', stdio: 'pipe' });
  for (const [kind, records] of Object.entries(data)) {
    const file = path.join(folder, `${kind}.json`);
    writeFileSync(file, JSON.stringify(records));
    petstore(kind, 'import', file, '--json');
  }

  const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let origin: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    origin = /"origin":"(.+?)"/.exec(line)?.[1];
    if (origin) break;
  }
  if (!origin) throw new Error('the service did not start');
  child.stdout.resume();

  return {
    baseUrl: `${origin}/v1`,
    createKey() {
      const output = petstore('keys', 'create', '--plan', 'free', '--name', 'test', '--json');
      return (JSON.parse(output) as { key: string }).key;
    },
    async stop() {
      child.kill();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
