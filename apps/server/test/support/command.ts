import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { stopAtEnd } from './at-end.ts';
import { originOf, startProcess, type Running } from './process.ts';
import { until } from './until.ts';

const NOBODY = 65_534;
/** The `petstore` command: a script that Node.js runs. */
export const bin = path.join(import.meta.dirname, '../../bin/petstore.js');

/** Whether a user who is not root can run the command: tests may be run by one, or start it as nobody. */
export const mayRunUnprivileged = (): boolean =>
  process.getuid?.() !== 0 ||
  spawnSync(process.execPath, [bin, '--help'], { uid: NOBODY, gid: NOBODY, stdio: 'ignore' }).status === 0;

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly dataDir: string;
  readonly env?: Record<string, string>;
  /** What it reads from its standard input. */
  readonly input?: string;
  /** Runs it as nobody where the tests are root. */
  readonly isUnprivileged?: boolean;
  /** Sends it `signal` once `when` holds. */
  readonly stop?: { readonly signal: NodeJS.Signals; readonly when: () => boolean | Promise<boolean> };
}

/** Runs the `petstore` command to its end, as an operator would. */
export async function petstore(args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const { child, output, ended } = start(args, options);
  const { stop } = options;
  if (stop) {
    await until(() => child.exitCode !== null || stop.when());
    child.kill(stop.signal);
  }
  child.stdin?.on('error', () => undefined).end(options.input ?? '');
  return { code: await ended, ...output };
}

/** What a command says that must fail: a single line, and nothing on its standard output. */
export async function refusalOf(args: readonly string[], options: CommandOptions): Promise<string> {
  const { code, stdout, stderr } = await petstore(args, options);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^petstore: [^\n]+\n$/)]);
  return stderr;
}

/** What a command that must succeed prints with --json. */
export async function petstoreJson<Value>(args: readonly string[], options: CommandOptions): Promise<Value> {
  const { code, stdout, stderr } = await petstore([...args, '--json'], options);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Value;
}

export interface ServedPetstore extends Pick<Running, 'output' | 'kill'> {
  readonly origin: string;
  readonly pid: number;
}

/** Starts `petstore serve` with `args` as a process of its own and waits until it listens. It ends with the suite. */
export async function servePetstore(
  options: CommandOptions,
  args: readonly string[] = [],
): Promise<ServedPetstore> {
  const env = { SHUTDOWN_DELAY_SECONDS: '0', ...options.env };
  const running = start(['serve', '--port', '0', ...args], { ...options, env });
  const { child, output, kill } = running;
  stopAtEnd('service', () => kill('SIGKILL'));
  return { origin: await originOf(running), pid: child.pid ?? 0, output, kill };
}

function start(args: readonly string[], { dataDir, env, isUnprivileged }: CommandOptions): Running {
  return startProcess(process.execPath, [bin, ...args], {
    ...(isUnprivileged && process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...env },
    stdio: 'pipe',
    // One that hangs is a failure, and must not outlive the tests.
    timeout: 240_000,
    killSignal: 'SIGKILL',
  });
}
