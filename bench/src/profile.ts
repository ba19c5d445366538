import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Bench } from './bench.ts';
import { applyLoad, type Load } from './load.ts';
import type { Table } from './result.ts';
import type { Server } from './server.ts';

const SHOWN = 12;

interface Profile {
  readonly nodes: readonly { id: number; callFrame: { functionName: string; url: string } }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Where a server that writes its profile to `folder` when it ends spends its time under a load: the most of it first. */
export async function profileUnder(
  bench: Bench,
  server: Server,
  load: Omit<Load, 'origin'>,
  folder: string,
): Promise<Table> {
  await applyLoad(bench, { ...load, origin: server.origin }, 2 * bench.seconds);
  const stopping = performance.now();
  await server.stop();
  const stopTime = (performance.now() - stopping) * 1000;
  const [file = ''] = readdirSync(folder);
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Profile;
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url } }) => {
      const place = /(?:node_modules\/|server\/dist\/|contract\/dist\/|node:)[^?]*$/.exec(url)?.[0] ?? '';
      return [id, `${functionName || '(anonymous)'} ${place}`.trim()];
    }),
  );
  const times = new Map<string, number>();
  let left = timeDeltas.reduce((sum, time) => sum + time, 0) - stopTime;
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? '';
    const time = timeDeltas[index] ?? 0;
    left -= time;
    // The first half is the start, and what is not compiled yet; at the end everything is synced to disk.
    if (name !== '(idle)' && index > samples.length / 2 && left > 0)
      times.set(name, (times.get(name) ?? 0) + time);
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  const most = [...times].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  return {
    head: ['Profile, as a target was missed: function', '% of the time, itself'],
    rows: most.map(([name, time]) => [`\`${name}\``, ((100 * time) / total).toFixed(1)]),
  };
}
