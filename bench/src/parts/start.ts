import type { Bench } from '../bench.ts';
import { copyData, createData } from '../data.ts';
import { MORE } from '../more-operations.ts';
import { atMost, type PartResult } from '../result.ts';
import { peers, startPeer, startPetstore, type Server } from '../server.ts';
import { format, formatSpread, spreadOf } from '../statistics.ts';
import { moreOperationsPreload, writeLongContract } from './operations.ts';
import type { Part } from './part.ts';

const LONG = `petstore, ${3 + MORE} operations`;

/** From the start of the process to the first answer of the API. */
export const start: Part = {
  name: 'start',
  about: 'server start to first answer',
  async run(bench: Bench): Promise<PartResult> {
    const title = 'Start to first answer';
    const data = await createData(bench, 10);
    const contract = writeLongContract(bench.folder);
    const own = copyData(data, 'own');
    const starters: Record<string, () => Promise<Server>> = {
      'petstore, 3 operations': () => startPetstore(bench, own),
      [LONG]: () => startPetstore(bench, own, { node: moreOperationsPreload }),
      ...Object.fromEntries(peers.map((peer) => [peer, () => startPeer(bench, peer, data)])),
      [`express, ${3 + MORE} operations`]: () => startPeer(bench, 'express', data, { contract }),
    };
    const times = new Map<string, { start: number; memory: number | undefined }[]>();
    for (let round = 1; round <= bench.rounds; round += 1) {
      bench.progress.step(`${title}: round ${round} of ${bench.rounds}`);
      for (const [name, begin] of Object.entries(starters)) {
        bench.signal.throwIfAborted();
        const server = await begin();
        times.set(name, [...(times.get(name) ?? []), { start: server.startTime, memory: server.memory() }]);
        await server.stop();
      }
    }
    const startOf = (name: string) => spreadOf((times.get(name) ?? []).map((time) => time.start));
    return {
      title,
      tables: [
        {
          head: ['', 'ms', 'memory MB'],
          rows: [...times].map(([name, all]) => {
            const memory = all.flatMap((time) => (time.memory === undefined ? [] : [time.memory / 1e6]));
            return [
              name,
              formatSpread(startOf(name)),
              memory.length === 0 ? '–' : formatSpread(spreadOf(memory)),
            ];
          }),
        },
      ],
      claims: [atMost(`start with ${3 + MORE} operations`, 2000, 'ms', startOf(LONG), format)],
    };
  },
};
