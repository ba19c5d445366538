import type { Bench } from '../bench.ts';
import type { Part } from '../part.ts';
import { copyData, createData } from '../data.ts';
import { atMost, type Table } from '../result.ts';
import { OURS, peers, startPeer, startPetstore, type Server } from '../server.ts';
import { format, formatSpread, spreadOf } from '../statistics.ts';

export interface Starts {
  /** Milliseconds to the first answer, round by round. */
  readonly times: Readonly<Record<string, readonly number[]>>;
  readonly table: Table;
}

/** Starts each server and ends it again, in every round. */
export async function measureStarts(
  bench: Bench,
  title: string,
  starters: Readonly<Record<string, () => Promise<Server>>>,
): Promise<Starts> {
  const times: Record<string, number[]> = {};
  const memory: Record<string, number[]> = {};
  for (let round = 1; round <= bench.rounds; round += 1) {
    bench.step(`${title}: start, round ${round} of ${bench.rounds}`);
    for (const [name, begin] of Object.entries(starters)) {
      bench.signal.throwIfAborted();
      const server = await begin();
      (times[name] ??= []).push(server.startTime);
      (memory[name] ??= []).push(server.memory() / 1e6);
      await server.stop();
    }
  }
  const rows = Object.entries(times).map(([name, all]) => [
    name,
    formatSpread(spreadOf(all)),
    formatSpread(spreadOf(memory[name] ?? [])),
  ]);
  return { times, table: { head: ['', 'start to first answer, ms', 'memory MB'], rows } };
}

/** From the start of the process to the first answer of the API. */
export const start: Part = {
  name: 'start',
  about: 'server start to first answer',
  async run(bench) {
    const title = 'Start to first answer';
    const data = await createData(bench, 10);
    const own = copyData(data, 'own');
    const { times, table } = await measureStarts(bench, title, {
      [OURS]: () => startPetstore(bench, own),
      ...Object.fromEntries(peers.map((peer) => [peer, () => startPeer(bench, peer, data)])),
    });
    return {
      title,
      tables: [table],
      claims: [atMost('start to first answer', 500, 'ms', spreadOf(times[OURS] ?? []), format)],
    };
  },
};
