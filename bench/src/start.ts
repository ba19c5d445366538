import { copyData, createData, root } from './data.ts';
import type { Section } from './report.ts';
import { measureInRounds, type Run } from './run.ts';
import { startPeer, startPetstore, type Server } from './server.ts';
import { formatSpread } from './statistics.ts';

/** How long each server takes to start, and its memory then. */
export async function measureStart(run: Run): Promise<Section> {
  const data = await createData(run, root, 10);
  const copy = copyData(data, 'peers');
  const starts = await measureInRounds(run, 'start', {
    petstore: () => startOf(startPetstore(run, data)),
    express: () => startOf(startPeer(run, 'express', copy)),
    fastify: () => startOf(startPeer(run, 'fastify', copy)),
    hono: () => startOf(startPeer(run, 'hono', copy)),
  });
  return {
    title: 'Start',
    note: 'From the start of the process to its first response, and its memory then. The service is bundled into few files, as it ships. The peers load their packages from `node_modules`.',
    head: ['', 'ms', 'memory, MB'],
    rows: Object.entries(starts).map(([name, values]) => [
      name,
      formatSpread(values.map(({ time }) => time)),
      formatSpread(values.map(({ memory }) => memory)),
    ]),
  };
}

async function startOf(starting: Promise<Server>): Promise<{ time: number; memory: number }> {
  const server = await starting;
  const memory = server.memory();
  await server.stop();
  return { time: server.startTime, memory };
}
