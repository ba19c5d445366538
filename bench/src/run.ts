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
  /** The failed measurements, with reasons. */
  readonly failures: string[];
  /** Reports progress on standard error. */
  readonly say: (text: string) => void;
}

const dataFolder = path.resolve(import.meta.dirname, '../.data');

export function createRun(settings: Settings): Run {
  // /tmp may be in memory, but commits must reach a disk.
  mkdirSync(dataFolder, { recursive: true });
  const folder = mkdtempSync(path.join(dataFolder, 'run-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { ...settings, folder, failures: [], say };
}

/** The functions that stop the programs of a measurement. */
export type Stops = (() => Promise<unknown>)[];

/** Runs one measurement, and stops what it started. A failure is noted, and the run continues. */
export async function attempt<Result>(run: Run, name: string, measure: (stops: Stops) => Promise<Result>) {
  const stops: Stops = [];
  try {
    return await measure(stops);
  } catch (error) {
    const failure = `${name} failed: ${error instanceof Error ? error.message : String(error)}`;
    run.failures.push(failure);
    run.say(failure);
    return undefined;
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** Takes every measurement in each round, in an order that changes from round to round. */
export async function measureInRounds<Name extends string, Value>(
  { rounds, say }: Run,
  title: string,
  measurements: Readonly<Record<Name, () => Promise<Value>>>,
): Promise<Record<Name, Value[]>> {
  const names = Object.keys(measurements) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Value[]>;
  for (let round = 0; round < rounds; round += 1) {
    say(`${title}: round ${round + 1} of ${rounds}`);
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      values[name].push(await measurements[name]());
    }
  }
  return values;
}

function say(text: string): void {
  const seconds = Math.floor(performance.now() / 1000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  console.error(`${clock}  ${text}`);
}
