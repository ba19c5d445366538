import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { serviceEnvironment } from './config.ts';

export interface Service {
  readonly origin: string;
  /** A new key of the Free plan: 60 requests a minute. */
  createKey(): Promise<string>;
  stop(): Promise<void>;
}

const program = path.resolve(import.meta.dirname, '../../server/bin/petstore.js');

/** The real service with an empty store, on a free loopback port. */
export async function startService(): Promise<Service> {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-clients-'));
  const env = serviceEnvironment(folder);
  const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  for await (const line of createInterface(child.stdout)) {
    const { msg, origin } = JSON.parse(line) as { msg?: string; origin?: string };
    if (msg !== 'listening' || !origin) continue;
    child.stdout.resume();
    return {
      origin,
      async createKey() {
        const keys = ['keys', 'create', '--plan', 'free', '--name', 'clients', '--json'];
        const { stdout } = await promisify(execFile)(process.execPath, [program, ...keys], { env });
        return (JSON.parse(stdout) as { key: string }).key;
      },
      stop,
    };
  }
  await stop();
  throw new Error('the service did not start: npm run build');
}
