import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { asOperatorError } from '../operator-error.ts';

/** The name of a file until it is complete, with the id of its process. */
export function tempName(file: string): string {
  return `${file}.${process.pid}.partial`;
}

/** Removes the `tempName(file)` of killed processes. Throws an OperatorError if it cannot read the folder. */
export function removeLeftovers(file: string): void {
  const folder = path.dirname(file);
  const start = `${path.basename(file)}.`;
  for (const name of namesIn(folder)) {
    const [, pid] = /^(\d+)\.partial(?:-\w+)?$/.exec(name.slice(start.length)) ?? [];
    const left = path.join(folder, name);
    if (name.startsWith(start) && pid && !isAtWork(Number(pid), left))
      rmSync(left, { recursive: true, force: true });
  }
}

/** Whether the process `id` still writes `file`. Each container has a process 1: a file older than this process is left over. */
function isAtWork(pid: number, file: string): boolean {
  if (pid !== process.pid) return isRunning(pid);
  const { mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return mtimeMs >= performance.timeOrigin;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw asOperatorError(`cannot read the folder ${folder}`, error);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
