import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Bench } from './bench.ts';
import { pinned } from './machine.ts';
import { builtFile } from './server.ts';

const run = promisify(execFile);

/** Runs a program of probes/ to its end, on the core of the servers, and returns the JSON it prints last. */
export async function runProbe<Report>(
  bench: Bench,
  name: string,
  args: readonly string[],
  { node = [], env = {} }: { node?: readonly string[]; env?: Record<string, string> } = {},
): Promise<Report> {
  const [command, all] = pinned('server', process.execPath, [
    ...node,
    builtFile(`probes/${name}.js`),
    ...args,
  ]);
  const { stdout } = await run(command, all, {
    signal: bench.signal,
    maxBuffer: 1e8,
    env: { NODE_ENV: 'production', ...env },
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Report;
}
