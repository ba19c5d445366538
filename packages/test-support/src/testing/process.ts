import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { until } from './until.ts';

/** A started process, with its output so far. */
export interface Running {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /** Resolves to the exit code when its output is closed; null if a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Sends `signal` and resolves as `ended` does. */
  readonly kill: (signal: NodeJS.Signals) => Promise<number | null>;
}

export function startProcess(command: string, args: readonly string[], options: SpawnOptions): Running {
  const child = spawn(command, args, options);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return { child, output, ended, kill };
}

/** The origin of a service, once it listens. Throws if it exits before. */
export async function originOf({ child, output }: Running): Promise<string> {
  const origin = () => /"origin":"([^"]+)"/.exec(output.stdout)?.[1];
  await until(() => {
    if (child.exitCode !== null) throw new Error(`it ended: ${output.stderr}`);
    return origin() !== undefined;
  });
  return origin() ?? '';
}
