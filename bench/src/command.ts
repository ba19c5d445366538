import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Bench } from './bench.ts';
import { pinned } from './machine.ts';
import { builtFile, root } from './server.ts';

const run = promisify(execFile);
// Redocly and openapi-typescript are the product's own tools.
const bins = ['bench/node_modules/.bin', 'node_modules/.bin'].map((bin) => path.join(root, bin));
const env = {
  PATH: [...bins, process.env['PATH'] ?? ''].join(path.delimiter),
  NODE_ENV: 'production',
  REDOCLY_TELEMETRY: 'off',
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
};

/** Runs a command of an installed package, npm or npx to its end. Returns what it printed. */
export async function outputOf(
  { folder, signal }: Bench,
  name: string,
  args: readonly string[],
  cwd = folder,
): Promise<string> {
  const { stdout } = await run(name, [...args], { cwd, signal, env });
  return stdout;
}

/** The same, for how many milliseconds it takes. */
export async function runCommand(...command: Parameters<typeof outputOf>): Promise<number> {
  const started = performance.now();
  await outputOf(...command);
  return performance.now() - started;
}

/** Runs a program of probes/ to its end, on the core of the servers, and returns the JSON it prints last. */
export async function runProbe<Report>(
  { signal }: Bench,
  name: string,
  args: readonly string[],
  node: readonly string[] = [],
): Promise<Report> {
  const program = [...node, builtFile(`probes/${name}.js`), ...args];
  const [command, all] = pinned('server', process.execPath, program);
  const { stdout } = await run(command, all, { signal, env, maxBuffer: 1e8 });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Report;
}
