import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stopAtEnd } from './at-end.ts';
import { originOf, startProcess, type Running } from './process.ts';
import { until } from './until.ts';

const NOBODY = 65_534;
const AS_INIT = ['--map-root-user', '--pid', '--fork', '--mount-proc'];
const WITH_MOUNTS = ['unshare', '--map-root-user', '--mount', 'sh', '-c'];

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly dataDir: string;
  readonly env?: Record<string, string>;
  /** The current folder; by default that of the tests. */
  readonly cwd?: string;
  /** Its standard input. */
  readonly input?: string;
  /** Runs it as nobody if the tests run as root. */
  readonly isUnprivileged?: boolean;
  /** Runs it as process 1 of a PID namespace, as a container does. */
  readonly isInit?: boolean;
  /** A shell command that runs first, as root of a mount namespace: what it mounts, only the command sees. */
  readonly mount?: string;
  /** Sends `signal` when `when` holds. Its standard input stays open, so that it does not exit before. */
  readonly stop?: { readonly signal: NodeJS.Signals; readonly when: () => boolean | Promise<boolean> };
}

export interface Served extends Pick<Running, 'output' | 'kill'> {
  readonly origin: string;
  readonly pid: number;
}

/** The command of a service: `program` is the first arguments of Node.js. */
export function commandsOf(name: string, program: readonly string[]) {
  function start(args: readonly string[], options: CommandOptions): Running {
    const { dataDir, cwd, env, isUnprivileged, isInit, mount } = options;
    const [file = '', ...before] = [
      ...(isInit ? ['unshare', ...AS_INIT] : []),
      ...(mount === undefined ? [] : [...WITH_MOUNTS, `${mount} && exec "$0" "$@"`]),
      process.execPath,
    ];
    const running = startProcess(file, [...before, ...program, ...args], {
      ...(isUnprivileged && process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
      cwd,
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...env },
      stdio: 'pipe',
      // A command that hangs is a failure, and must not outlive the tests.
      timeout: 240_000,
      killSignal: 'SIGKILL',
    });
    if (!isInit) return running;
    const { child, ended } = running;
    // unshare passes no signals on to its child.
    const children = `/proc/${child.pid}/task/${child.pid}/children`;
    const signalInit = (signal: NodeJS.Signals) => {
      for (const pid of readFileSync(children, 'utf8').trim().split(' ')) process.kill(Number(pid), signal);
    };
    return {
      ...running,
      kill(signal) {
        if (child.exitCode === null) signalInit(signal);
        return ended;
      },
    };
  }

  /** Runs the command to its end, as an operator would. */
  async function run(args: readonly string[], options: CommandOptions): Promise<CommandResult> {
    const { child, output, ended, kill } = start(args, options);
    const { stop } = options;
    if (stop) {
      child.stdin?.write(options.input ?? '');
      await until(() => child.exitCode !== null || stop.when());
      void kill(stop.signal);
    } else child.stdin?.on('error', () => undefined).end(options.input ?? '');
    return { code: await ended, ...output };
  }

  /** Whether a user other than root can run the command: the user of the tests, or nobody. */
  const mayRunUnprivileged = (): boolean =>
    process.getuid?.() !== 0 ||
    spawnSync(process.execPath, [...program, '--help'], { uid: NOBODY, gid: NOBODY, stdio: 'ignore' })
      .status === 0;

  /** The error of a command that must fail: a single line, and nothing on standard output. */
  async function resultOfRejection(args: readonly string[], options: CommandOptions): Promise<string> {
    const { code, stdout, stderr } = await run(args, options);
    const line = expect.stringMatching(new RegExp(`^${name}: [^\\n]+\\n$`)) as string;
    expect([code, stdout, stderr]).toEqual([1, '', line]);
    return stderr;
  }

  /** The --json output of a command that must succeed. */
  async function json<Value>(args: readonly string[], options: CommandOptions): Promise<Value> {
    const { code, stdout, stderr } = await run([...args, '--json'], options);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Value;
  }

  /** Starts `serve` in a separate process and waits until it listens. It stops with the suite. */
  async function serve(options: CommandOptions, args: readonly string[] = []): Promise<Served> {
    const env = { SHUTDOWN_DELAY_SECONDS: '0', ...options.env };
    const running = start(['serve', '--port', '0', ...args], { ...options, env });
    const { child, output, kill } = running;
    stopAtEnd('service', () => kill('SIGKILL'));
    return { origin: await originOf(running), pid: child.pid ?? 0, output, kill };
  }

  return { mayRunUnprivileged, run, resultOfRejection, json, serve };
}
