import { createData, root } from './data.ts';
import { applyLoad, checkStatus, warmUp, type Subject } from './load.ts';
import type { Section } from './report.ts';
import type { Row } from './rows.ts';
import { attempt, type Run } from './run.ts';
import { startPetstore } from './server.ts';
import { estimate, estimateRatio, format, formatRatio, ratios, type Estimate } from './statistics.ts';

/** A row fails if its whole interval lies above this ratio, a start if it lies above this many milliseconds more. */
const MOST_CPU = 1.05;
const MOST_START = 100;

interface Pair<Value> {
  readonly ours: Value;
  readonly theirs: Value;
}

interface Comparison {
  readonly section: Section;
  readonly hasPassed: boolean;
}

/** Compares the service of this checkout with that of another one. */
export async function compareWith(
  run: Run,
  checkout: string,
  rows: readonly Row[],
  withStart: boolean,
): Promise<Comparison> {
  const lines: string[][] = [];
  for (const row of rows) {
    await attempt(run, row.name, async () => {
      const { ours, theirs } = await cpuTimes(run, checkout, row);
      const difference = estimateRatio(ratios(ours, theirs));
      const means = [ours, theirs].map((each) => format(estimate(each).mean));
      lines.push([row.name, ...means, interval(difference, formatRatio), verdict(difference, MOST_CPU)]);
    });
  }
  if (withStart) {
    await attempt(run, 'start', async () => {
      const { ours, theirs } = await startTimes(run, checkout);
      const difference = estimate(ours.map((time, round) => time - (theirs[round] ?? Number.NaN)));
      const means = [ours, theirs].map((each) => `${format(estimate(each).mean)} ms`);
      const shown = interval(difference, (value) => `${format(value)} ms`);
      lines.push(['start', ...means, shown, verdict(difference, MOST_START)]);
    });
  }
  return {
    hasPassed: lines.every((line) => line.at(-1) !== FAILED),
    section: {
      title: `This checkout against ${checkout}`,
      note: `CPU time per request in µs, ${run.rounds} alternating rounds of ${run.seconds} s, with the 95 % interval of the ratio. A row fails if the whole interval lies above ${MOST_CPU}; a start if it lies above ${MOST_START} ms more.`,
      head: ['', 'this', 'other', 'this / other', 'verdict'],
      rows: lines,
    },
  };
}

async function cpuTimes(run: Run, checkout: string, row: Row): Promise<Pair<number[]>> {
  const started: Subject[] = [];
  const start = async (folder: string, name: string) => {
    const data = await createData(run, folder, row.orders);
    const subject = { data, server: await startPetstore(run, data, row.env, folder, name) };
    started.push(subject);
    run.say(`${row.name}: warming up ${name}`);
    await warmUp(row, subject);
    await checkStatus(row, subject);
    return subject;
  };
  try {
    const subjects = { ours: await start(root, 'this'), theirs: await start(checkout, 'other') };
    return await alternate(
      run,
      row.name,
      async (side) => (await applyLoad(row, subjects[side], run.seconds)).cpu,
    );
  } finally {
    for (const { server } of started) await server.stop();
  }
}

async function startTimes(run: Run, checkout: string): Promise<Pair<number[]>> {
  const folders = { ours: root, theirs: checkout };
  const data = { ours: await createData(run, root, 10), theirs: await createData(run, checkout, 10) };
  return alternate(run, 'start', async (side) => {
    const server = await startPetstore(run, data[side], {}, folders[side]);
    await server.stop();
    return server.startTime;
  });
}

/** Measures both sides in each round, in an order that changes from round to round. */
async function alternate(
  run: Run,
  name: string,
  measure: (side: keyof Pair<unknown>) => Promise<number>,
): Promise<Pair<number[]>> {
  const values: Pair<number[]> = { ours: [], theirs: [] };
  const order: (keyof typeof values)[] = ['ours', 'theirs'];
  for (let round = 0; round < run.rounds; round += 1) {
    run.say(`${name}: round ${round + 1} of ${run.rounds}`);
    for (const side of order) values[side].push(await measure(side));
    order.reverse();
  }
  return values;
}

const FAILED = '**failed**';

/** A measurement fails only if its whole interval lies above `most`. */
export function verdict({ low }: Estimate, most: number): string {
  return low > most ? FAILED : 'passed';
}

function interval({ mean, low, high }: Estimate, one: (value: number) => string): string {
  return `${one(mean)} (${one(low)}–${one(high)})`;
}
