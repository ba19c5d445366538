import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '@petstore/local-stack';

const taskset = findProgram('taskset');
// Not availableParallelism(), which says less once this process has left the core of the servers.
export const cores = os.cpus().length;

/**
 * Servers that are measured run on `server`, what loads them on `load`, a second instance on `second`, databases and
 * proxies wherever this process is. Where there are fewer than four cores, some of these are the same.
 */
export const core = {
  server: 0,
  load: Math.min(1, cores - 1),
  second: cores >= 4 ? 3 : 0,
};
export type Place = keyof typeof core;

/** The command that runs `command` on one core; where there is no taskset, or only one core, the command itself. */
export function pinned(on: Place, command: string, args: readonly string[]): [string, string[]] {
  if (!taskset || cores === 1) return [command, [...args]];
  return [taskset, ['-c', String(core[on]), command, ...args]];
}

/** What the figures were measured on, for the report. */
export function describeMachine(): string {
  const memory = Math.round(os.totalmem() / 2 ** 30);
  const pinning =
    taskset && cores > 1 ? `server on core ${core.server}, load on core ${core.load}` : 'not pinned';
  return `${os.cpus()[0]?.model.trim() ?? 'unknown CPU'}, ${cores} cores, ${memory} GiB, ${os.type()} ${os.release()}, Node ${process.version}; ${pinning}`;
}

const TICKS_PER_SECOND = 100;

/** The process that started one, from proc(5); NaN where there is none. */
export function parentOf(pid: number): number {
  return Number(fieldsOf(pid)[1]);
}

/** CPU time that a process has used so far, of all its threads, in microseconds; NaN where /proc has none. */
export function cpuTimeOf(pid: number): number {
  const [, , , , , , , , , , , user, system] = fieldsOf(pid);
  return ((Number(user) + Number(system)) / TICKS_PER_SECOND) * 1e6;
}

/** What follows the name of a process, which is in parentheses and may contain spaces. */
function fieldsOf(pid: number): string[] {
  const stat = readText(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The part of the machine that is in use, from 0 to 1, over half a second in which nothing is measured. */
export async function busyShare(): Promise<number> {
  const times = () =>
    os.cpus().reduce(
      (sum, { times: { user, nice, sys, irq, idle } }) => ({
        used: sum.used + user + nice + sys + irq,
        idle: sum.idle + idle,
      }),
      { used: 0, idle: 0 },
    );
  const before = times();
  await sleep(500);
  const after = times();
  const [used, idle] = [after.used - before.used, after.idle - before.idle];
  return used / Math.max(1, used + idle);
}

/** How long the core of the servers has been busy so far, with whatever, in microseconds; NaN where it is not known. */
export function serverCoreBusyTime(): number {
  const [, line = ''] = new RegExp(`^cpu${core.server} (.*)$`, 'm').exec(readText('/proc/stat')) ?? [];
  const [user = Number.NaN, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line
    .split(' ')
    .map(Number);
  return ((user + nice + system + irq + softirq + steal) / TICKS_PER_SECOND) * 1e6;
}

/** Memory in bytes: `VmHWM` is the most a process ever had resident, `VmRSS` what it has now; NaN if not known. */
export function memoryOf(pid: number, field: 'VmHWM' | 'VmRSS'): number {
  const status = readText(`/proc/${pid}/status`);
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
}

/** Lets `VmHWM` start anew from what is resident now. Whether that is possible here. */
export function resetPeakMemory(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return true;
  } catch {
    return false;
  }
}

/** Moves this process and what it starts away from the core of the servers, or back to all cores. */
export function leaveServerCore(isLeft = true): void {
  if (!taskset || cores === 1) return;
  const list = `${isLeft ? 1 : 0}-${cores - 1}`;
  execFileSync(taskset, ['-acp', list, String(process.pid)], { stdio: 'ignore' });
}

/** Empty where there is no such file: not every system has /proc. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
