import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { named, type Claim, type Table } from './result.ts';
import type { Loaded } from './rounds.ts';
import { OURS, profileFileOf } from './server.ts';

const SHOWN = 12;

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

interface Profile {
  readonly nodes: readonly { id: number; callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Where a server that can be profiled spends its time under its load, where one of `claims` was missed. */
export function profileOfLoad(
  bench: Bench,
  claims: readonly Claim[],
  subjects: readonly Loaded[],
  name = OURS,
): Promise<Table[]> {
  const subject = named(subjects, name);
  return profileOfServer(bench, claims, subject.server, () => subject.run(2 * bench.seconds));
}

/** The same while `work` is done. */
export function profileOfServer(
  bench: Bench,
  claims: readonly Claim[],
  { origin, pid }: Loaded['server'],
  work: () => Promise<unknown>,
): Promise<Table[]> {
  return tableOfMissed(bench, claims, async () => {
    const file = profileFileOf(bench, origin);
    const toggle = () => process.kill(pid ?? Number.NaN, 'SIGUSR2');
    toggle();
    await work();
    toggle();
    while (!existsSync(file)) {
      bench.signal.throwIfAborted();
      await sleep(50);
    }
    return file;
  });
}

/** The same of a program that `run` runs to its end, with further arguments for Node. */
export function profileOfRun(
  bench: Bench,
  claims: readonly Claim[],
  run: (node: readonly string[]) => Promise<unknown>,
): Promise<Table[]> {
  return tableOfMissed(bench, claims, async () => {
    const folder = path.join(bench.folder, 'profile');
    await run(['--cpu-prof', `--cpu-prof-dir=${folder}`]);
    return path.join(folder, readdirSync(folder)[0] ?? '');
  });
}

async function tableOfMissed(
  bench: Bench,
  claims: readonly Claim[],
  makeFile: () => Promise<string>,
): Promise<Table[]> {
  const missed = claims.filter(({ met }) => met === false).map(({ subject }) => subject);
  if (missed.length === 0) return [];
  bench.step(`${missed.join(', ')}: where the time goes`);
  const file = await makeFile();
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as Profile;
  rmSync(file);
  const names = new Map(
    nodes.map(({ id, callFrame }) => {
      const file = fileOf(callFrame);
      const place = /(?:node_modules\/|(?:server|contract|client)\/dist\/|node:)[^?]*$/.exec(file)?.[0] ?? '';
      return [id, `${callFrame.functionName || '(anonymous)'} ${place}`.trim()];
    }),
  );
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? '';
    // `dispatch` is the profiler itself, as it starts.
    if (name !== '(idle)' && name !== 'dispatch')
      times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  const most = [...times].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  return [
    {
      head: [`Profile, as a target was missed (${missed.join('; ')}): function`, '% of the time, itself'],
      rows: most.map(([name, time]) => [`\`${name}\``, ((100 * time) / total).toFixed(1)]),
    },
  ];
}

/** Where a function comes from; the bundle of the service names each file above its lines. */
function fileOf({ url, lineNumber }: CallFrame): string {
  if (!url.includes('/dist/bundle/')) return url;
  const above = readFileSync(new URL(url), 'utf8').split('\n').slice(0, lineNumber);
  return above.findLast((line) => /^\/\/ \S+\.[cm]?js$/.test(line)) ?? url;
}
