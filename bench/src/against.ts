import { LEAST_ROUNDS } from './arguments.ts';
import { checkOut, type Other } from './checkout.ts';
import { createData, root } from './data.ts';
import { applyLoad, warmUp } from './load.ts';
import type { Section } from './report.ts';
import { rows, type Row } from './rows.ts';
import { attempt, measureInRounds, type Run, type Stops } from './run.ts';
import { startPetstore } from './server.ts';
import { startStores } from './stores.ts';
import { estimateRatio, formatRatio, formatSpread, ratios, type Estimate } from './statistics.ts';

/** A row fails if the whole interval of its ratio is above this. */
const MOST = 1.1;

/** The measurements of this checkout and of another one, by round. */
interface Pair {
  readonly ours: number[];
  readonly theirs: number[];
}

/** Compares the service of this checkout with that of another one. Every row is judged alike. */
export async function compareWith(run: Run, other: Other, isWanted: (name: string) => boolean) {
  const checkout = checkOut(other, run);
  const lines: string[][] = [];
  const add = async (name: string, measure: (stops: Stops) => Promise<Pair>) => {
    if (!isWanted(name)) return;
    const pair = await attempt(run, name, measure);
    if (pair) lines.push([name, ...figures(pair)]);
  };
  for (const row of rows) await add(row.name, (stops) => cpuTimes(run, checkout, row, stops));
  await add('start', () => startTimes(run, checkout));
  return {
    title: `This checkout against ${'commit' in other ? other.commit.slice(0, 8) : other.folder}`,
    note: `Requests: CPU µs per request of the service's process. Start: ms to the first response. ${run.rounds} alternating rounds of ${run.seconds} s; median (min–max), and the mean of the ratios (95 % interval). A row fails if its whole interval lies above ${MOST}. Fewer than ${LEAST_ROUNDS} rounds are not judged.`,
    head: ['', 'this', 'other', 'this / other', 'verdict'],
    rows: lines,
  };
}

function figures({ ours, theirs }: Pair): string[] {
  const ratio = estimateRatio(ratios(ours, theirs));
  const { mean, low, high } = ratio;
  const interval = `${formatRatio(mean)} (${formatRatio(low)}–${formatRatio(high)})`;
  return [formatSpread(ours), formatSpread(theirs), interval, verdict(ratio, ours.length)];
}

async function cpuTimes(run: Run, checkout: string, row: Row, stops: Stops): Promise<Pair> {
  const places = row.isShared ? await startStores(run, stops, ['this', 'other']) : undefined;
  const start = async (folder: string, name: 'this' | 'other'): Promise<() => Promise<number>> => {
    run.say(`${row.name}: filling the store of ${name}`);
    const data = await createData(run, folder, row.orders, places?.[name]);
    const server = await startPetstore(run, data, row.env, folder, name);
    stops.push(() => server.stop());
    run.say(`${row.name}: warming up ${name}`);
    await warmUp(row, { server, data });
    return async () => (await applyLoad(row, { server, data }, run.seconds)).cpu;
  };
  return measureInRounds(run, row.name, {
    ours: await start(root, 'this'),
    theirs: await start(checkout, 'other'),
  });
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

const PASSED = 'passed';

/** A measurement fails only if its whole interval lies above `MOST`. */
export function verdict({ low }: Estimate, rounds: number): string {
  if (rounds < LEAST_ROUNDS) return 'not judged';
  return low > MOST ? '**failed**' : PASSED;
}

export function hasPassed({ rows }: Section): boolean {
  return rows.every((line) => line.at(-1) === PASSED);
}
