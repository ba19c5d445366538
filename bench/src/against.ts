import { createData, root } from './data.ts';
import { applyLoad, warmUp, type Subject } from './load.ts';
import type { Section } from './report.ts';
import { rows, type Row } from './rows.ts';
import { attempt, measureInRounds, type Run, type Stops } from './run.ts';
import { startPetstore } from './server.ts';
import { estimate, estimateRatio, formatRatio, formatSpread, ratios, type Estimate } from './statistics.ts';

/** A row fails if its whole interval is above this ratio, a start if it is above this many extra milliseconds. */
const MOST_CPU = 1.1;
const MOST_START = 100;
/** The extra CPU time, in microseconds, that validation of parameters may take. */
const MOST_VALIDATION = 30;

/** The measurements of this checkout and of another one, by round. */
interface Pair {
  readonly ours: number[];
  readonly theirs: number[];
}

/** Compares the service of this checkout with that of another one, on SQLite. */
export async function compareWith(run: Run, checkout: string, isWanted: (name: string) => boolean) {
  const lines: string[][] = [];
  for (const row of rows.filter(({ name, isShared }) => isWanted(name) && !isShared)) {
    await attempt(run, row.name, async (stops) => {
      const { ours, theirs } = await cpuTimes(run, checkout, row, stops);
      const ratio = estimateRatio(ratios(ours, theirs));
      const figures = [formatSpread(ours), formatSpread(theirs), interval(ratio, formatRatio)];
      const difference = estimate(ours.map((time, round) => time - (theirs[round] ?? Number.NaN)));
      const passed = row.hasParameters ? verdict(difference, MOST_VALIDATION) : verdict(ratio, MOST_CPU);
      lines.push([row.name, ...figures, passed]);
    });
  }
  if (isWanted('start')) {
    await attempt(run, 'start', async () => {
      const { ours, theirs } = await startTimes(run, checkout);
      const difference = estimate(ours.map((time, round) => time - (theirs[round] ?? Number.NaN)));
      const more = interval(difference, (value) => `${value.toFixed(0)} ms`);
      lines.push(['start', formatSpread(ours), formatSpread(theirs), more, verdict(difference, MOST_START)]);
    });
  }
  return {
    title: `This checkout against ${checkout}`,
    note: `Requests: CPU µs per request, and the ratio. Start: ms to the first response, and the difference. ${run.rounds} alternating rounds of ${run.seconds} s; median (min–max), and mean (95 % interval). A row fails if its whole interval lies above ${MOST_CPU}; one with parameters, above ${MOST_VALIDATION} µs more; a start, above ${MOST_START} ms.`,
    head: ['', 'this', 'other', 'this against other', 'verdict'],
    rows: lines,
  };
}

async function cpuTimes(run: Run, checkout: string, row: Row, stops: Stops): Promise<Pair> {
  const start = async (folder: string, name: string): Promise<Subject> => {
    const data = await createData(run, folder, row.orders);
    const server = await startPetstore(run, data, row.env, folder, name);
    stops.push(() => server.stop());
    run.say(`${row.name}: warming up ${name}`);
    await warmUp(row, { server, data });
    return { server, data };
  };
  const ours = await start(root, 'this');
  const theirs = await start(checkout, 'other');
  const cpuOf = async (subject: Subject) => (await applyLoad(row, subject, run.seconds)).cpu;
  return measureInRounds(run, row.name, { ours: () => cpuOf(ours), theirs: () => cpuOf(theirs) });
}

async function startTimes(run: Run, checkout: string): Promise<Pair> {
  const start = async (folder: string) => {
    const data = await createData(run, folder, 10);
    return async () => {
      const server = await startPetstore(run, data, {}, folder);
      await server.stop();
      return server.startTime;
    };
  };
  return measureInRounds(run, 'start', { ours: await start(root), theirs: await start(checkout) });
}

const FAILED = '**failed**';

/** A measurement fails only if its whole interval lies above `most`. */
export function verdict({ low }: Estimate, most: number): string {
  return low > most ? FAILED : 'passed';
}

export function hasPassed({ rows }: Section): boolean {
  return rows.every((line) => line.at(-1) !== FAILED);
}

function interval({ mean, low, high }: Estimate, one: (value: number) => string): string {
  return `${one(mean)} (${one(low)}–${one(high)})`;
}
