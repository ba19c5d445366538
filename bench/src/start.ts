import { createData, copyData, root } from './data.ts';
import type { Section } from './report.ts';
import type { Run } from './run.ts';
import { peers, startPeer, startPetstore, type Server } from './server.ts';
import { formatSpread } from './statistics.ts';

/** How long each server takes to start, and its memory then. */
export async function measureStart(run: Run): Promise<Section> {
  const data = await createData(run, root, 10);
  const copy = copyData(data, 'peers');
  const starters: Record<string, () => Promise<Server>> = {
    petstore: () => startPetstore(run, data),
    ...Object.fromEntries(peers.map((peer) => [peer, () => startPeer(run, peer, copy)])),
  };
  const starts = Object.entries(starters).map(([name, start]) => ({
    name,
    start,
    times: [] as number[],
    memory: [] as number[],
  }));
  for (let round = 0; round < run.rounds; round += 1) {
    run.say(`start: round ${round + 1} of ${run.rounds}`);
    for (const { start, times, memory } of starts) {
      const server = await start();
      times.push(server.startTime);
      memory.push(server.memory());
      await server.stop();
    }
  }
  return {
    title: 'Start',
    note: 'From the start of the process to its first response, and its memory then.',
    head: ['', 'ms', 'memory, MB'],
    rows: starts.map(({ name, times, memory }) => [name, formatSpread(times), formatSpread(memory)]),
  };
}
