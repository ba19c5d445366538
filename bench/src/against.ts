import { LEAST_ROUNDS } from './arguments.ts';
import { loadOf } from './catalogue.ts';
import { catalogueRows, type CatalogueRow } from './catalogue-rows.ts';
import { buildCatalogue, hasCatalogue, startCatalogue } from './catalogue-servers.ts';
import { checkOut, type Other } from './checkout.ts';
import { createData, root } from './data.ts';
import { applyLoad, measureLoad, warmUp, warmUpOrders } from './load.ts';
import type { Section } from './report.ts';
import { rows, type Row } from './rows.ts';
import { attempt, measureInRounds, type Run, type Stops } from './run.ts';
import { startPetstore } from './server.ts';
import { startStores } from './stores.ts';
import {
  estimateRatio,
  formatInterval,
  formatRatio,
  formatSpread,
  ratios,
  type Estimate,
} from './statistics.ts';

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
  const isComparable = hasCatalogue(checkout);
  const ofCatalogue = catalogueRows.filter(({ name }) => isWanted(name));
  if (isComparable && ofCatalogue.length > 0) buildCatalogue(checkout);
  for (const row of ofCatalogue)
    if (isComparable) await add(row.name, (stops) => catalogueTimes(run, checkout, row, stops));
    else lines.push([row.name, '', '', '', NOT_COMPARABLE]);
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
  const interval = `${formatRatio(ratio.mean)} (${formatInterval(ratio)})`;
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
    await warmUpOrders(row, { server, data });
    return async () => (await applyLoad(row, { server, data }, run.seconds)).cpu;
  };
  return measureInRounds(run, row.name, {
    ours: await start(root, 'this'),
    theirs: await start(checkout, 'other'),
  });
}

async function catalogueTimes(run: Run, checkout: string, row: CatalogueRow, stops: Stops): Promise<Pair> {
  const start = async (folder: string, name: 'this' | 'other'): Promise<() => Promise<number>> => {
    const { server, key } = await startCatalogue(run, row.isKeyed ? 'keyed' : 'open', {
      checkout: folder,
      name,
    });
    stops.push(() => server.stop());
    run.say(`${row.name}: warming up ${name}`);
    await warmUp((seconds) => measureLoad(server, loadOf(row, key), seconds));
    return async () => (await measureLoad(server, loadOf(row, key), run.seconds)).cpu;
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
/** The other checkout has no catalogue. */
const NOT_COMPARABLE = 'not comparable';

/** A measurement fails only if its whole interval lies above `MOST`. */
export function verdict({ low }: Estimate, rounds: number): string {
  if (rounds < LEAST_ROUNDS) return 'not judged';
  return low > MOST ? '**failed**' : PASSED;
}

export function hasPassed({ rows }: Section): boolean {
  return rows.every((line) => [PASSED, NOT_COMPARABLE].includes(line.at(-1) ?? ''));
}
