import { once } from 'node:events';
import { withBench, type BenchOptions } from './bench.ts';
import { createData } from './data.ts';
import { startContestants } from './parts/servers.ts';

/** Starts the servers as they are measured and says how to load them with another tool, until interrupted. */
export async function serveContestants(options: BenchOptions, count: number): Promise<void> {
  await withBench(options, async (bench) => {
    const data = await createData(bench, count);
    const servers = await startContestants(bench, data, { notRemembered: true });
    options.progress.clear();
    for (const { name, origin, pid } of servers) console.log(`${name.padEnd(30)} ${origin}  pid ${pid}`);
    console.log(`
All have ${count} orders; this key may make as many requests as you like:

  KEY=${data.key}
  curl -H "Authorization: Bearer $KEY" ${servers[0]?.origin}/v1/store/orders

Ctrl-C stops them.`);
    if (!options.signal.aborted) await once(options.signal, 'abort');
  });
}
