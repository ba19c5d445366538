import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';

export interface Settings {
  readonly rounds: number;
  /** How long a server is loaded in a round. */
  readonly seconds: number;
}

/** One run of the bench. */
export interface Run extends Settings {
  /** A folder for this run, deleted when the process ends. */
  readonly folder: string;
  /** What could not be measured, and why. */
  readonly failures: string[];
  /** Reports progress on standard error. */
  say(text: string): void;
}

const dataFolder = path.resolve(import.meta.dirname, '../.data');

export function createRun(settings: Settings): Run {
  // Not in /tmp, which may be in memory: commits have to reach a disk.
  mkdirSync(dataFolder, { recursive: true });
  const folder = mkdtempSync(path.join(dataFolder, 'run-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { ...settings, folder, failures: [], say };
}

/** Runs one measurement. A failure is noted, and the run continues. */
export async function attempt<Result>(
  run: Run,
  name: string,
  measure: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await measure();
  } catch (error) {
    const failure = `${name} failed: ${error instanceof Error ? error.message : String(error)}`;
    run.failures.push(failure);
    run.say(failure);
    return undefined;
  }
}

function say(text: string): void {
  const seconds = Math.floor(performance.now() / 1000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  console.error(`${clock}  ${text}`);
}
