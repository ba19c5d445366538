// `npm run measure:scaling`: the figures of docs/scaling.md, on this machine. Linux, with what `npm run cluster` needs
// and wrk.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findProgram, missing } from '@petstore/local-stack';
import { bytesPerKey } from './bytes-per-key.ts';
import { costPerRequest } from './cost-per-request.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { keys: text, instances: text, seconds: text, connections: text } });
const { keys = '1000000', instances = '2', seconds = '20', connections = '32' } = values;

async function main(): Promise<void> {
  const wrk = findProgram('wrk');
  if (!wrk || missing.length > 0) {
    const names = [...missing.map(({ name }) => name), ...(wrk ? [] : ['wrk'])];
    throw new Error(`not installed: ${names.join(' and ')}`);
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-scaling-'));
  chmodSync(folder, 0o711);
  try {
    console.log(`${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node.js ${process.versions.node}\n`);
    for (const [what, figure] of await bytesPerKey(folder, Number(keys))) console.log(`${what}: ${figure}`);
    const costs = await costPerRequest({
      folder: mkdtempSync(path.join(folder, 'cluster-')),
      instances: Number(instances),
      seconds: Number(seconds),
      connections: Number(connections),
      wrk,
    });
    for (const { what, requests, perSecond, cpu, redisScripts, postgresTransactions } of costs) {
      const parts = Object.entries(cpu).map(([name, time]) => `${name} ${time.toFixed(0)}`);
      console.log(`\n${what}: ${requests} requests, ${perSecond.toFixed(0)} per second`);
      console.log(`  processor time, microseconds per request: ${parts.join(', ')}`);
      console.log(
        `  per request: ${redisScripts.toFixed(3)} scripts of Redis, ` +
          `${postgresTransactions.toFixed(3)} transactions of PostgreSQL`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
