import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Bench } from './bench.ts';
import { inheritedEnv } from './config.ts';

const run = promisify(execFile);
const bin = path.resolve(import.meta.dirname, '../../../node_modules/.bin');

/** Runs a command of an installed package, npm or npx to its end. Returns how many milliseconds that took. */
export async function runCommand(
  bench: Bench,
  name: string,
  args: readonly string[],
  cwd = bench.folder,
): Promise<number> {
  const started = performance.now();
  await run(name.startsWith('np') ? name : path.join(bin, name), [...args], {
    cwd,
    signal: bench.signal,
    env: {
      ...inheritedEnv,
      REDOCLY_TELEMETRY: 'off',
      TURBO_TELEMETRY_DISABLED: '1',
      DO_NOT_TRACK: '1',
    },
  });
  return performance.now() - started;
}
