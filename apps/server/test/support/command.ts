import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { stopAtEnd } from './at-end.ts';
import { until } from './until.ts';

const NOBODY = 65_534;
const bin = path.join(import.meta.dirname, '../../bin/petstore.js');

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
  readonly stop?: { readonly signal: NodeJS.Signals; readonly when: () => boolean };
}

/** Runs the `petstore` command to its end, as an operator would. */
export async function petstore(args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const child = start(args, options);
  const output = collect(child);
  const closed = once(child, 'close') as Promise<[number | null]>;
  const { stop } = options;
  if (stop) {
    await until(() => child.exitCode !== null || stop.when());
    child.kill(stop.signal);
  }
  child.stdin?.on('error', () => undefined).end(options.input ?? '');
  const [code] = await closed;
  return { code, ...output };
}

/** What a command that must succeed prints with --json. */
export async function petstoreJson<Value>(args: readonly string[], options: CommandOptions): Promise<Value> {
  const { code, stdout, stderr } = await petstore([...args, '--json'], options);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Value;
}

export interface ServedPetstore {
  readonly origin: string;
  readonly pid: number;
  readonly output: { stdout: string; stderr: string };
  /** Sends `signal` and resolves to the exit code, or null where the signal itself ended it. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `petstore serve` with `args` as a process of its own and waits until it listens. It ends with the suite. */
export async function servePetstore(
  options: CommandOptions,
  args: readonly string[] = [],
): Promise<ServedPetstore> {
  const child = start(['serve', '--port', '0', ...args], {
    ...options,
    env: { SHUTDOWN_DELAY_SECONDS: '0', ...options.env },
  });
  const output = collect(child);
  const closed = once(child, 'close') as Promise<[number | null]>;
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = await closed;
    return code;
  };
  stopAtEnd('service', () => kill('SIGKILL'));
  const origin = () => /"origin":"([^"]+)"/.exec(output.stdout)?.[1];
  await until(() => {
    if (child.exitCode !== null) throw new Error(`it ended: ${output.stderr}`);
    return origin() !== undefined;
  });
  return {
    origin: origin() ?? '',
    pid: child.pid ?? 0,
    output,
    kill,
  };
}

function start(args: readonly string[], { dataDir, env, isUnprivileged }: CommandOptions): ChildProcess {
  return spawn(process.execPath, [bin, ...args], {
    ...(isUnprivileged && process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...env },
    stdio: 'pipe',
    // One that hangs is a failure, and must not outlive the tests.
    timeout: 240_000,
    killSignal: 'SIGKILL',
  });
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  }
  return output;
}
