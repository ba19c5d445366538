import { readFileSync } from 'node:fs';
import os from 'node:os';
import { execFileSync } from 'node:child_process';
import { findProgram } from '@contract-kit/test-support';

const taskset = findProgram('taskset');
const cores = os.cpus().length;
const canPin = taskset !== undefined && cores > 1;

/** Servers under measurement have core 0 to themselves. The load runs on core 1. */
const coreOf = { server: 0, load: 1 };
export type Place = keyof typeof coreOf;

/** The command that runs `file` on one core; without taskset or a second core, the command itself. */
export function pinned(place: Place, file: string, args: readonly string[]): [string, string[]] {
  if (!canPin) return [file, [...args]];
  return [taskset, ['-c', String(coreOf[place]), file, ...args]];
}

/** Moves this process and everything it starts away from the core of the servers. */
export function leaveServerCore(): void {
  if (!canPin) return;
  execFileSync(taskset, ['-acp', `1-${cores - 1}`, String(process.pid)], { stdio: 'ignore' });
}

export function describeMachine(): string {
  const model = os.cpus()[0]?.model.trim() ?? 'unknown CPU';
  const memory = `${Math.round(os.totalmem() / 2 ** 30)} GiB`;
  const pinning = canPin ? 'server on core 0, load on core 1' : 'processes not pinned to cores';
  return `${model}, ${cores} cores, ${memory}, ${os.type()} ${os.release()}, Node.js ${process.version}; ${pinning}`;
}

const TICKS_PER_SECOND = 100;

/** CPU time that a process has used, in microseconds, from proc(5). */
export function cpuTimeOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is a name in parentheses, which may contain spaces. User and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6;
}

/** Memory in MB: `VmHWM` is the most that was ever resident, `VmRSS` what is resident now. */
export function memoryOf(pid: number, field: 'VmHWM' | 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024) / 1e6;
}
