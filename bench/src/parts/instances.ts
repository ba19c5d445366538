import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts, hasNginx, startNginx } from '@petstore/local-stack';
import type { Bench } from '../bench.ts';
import { checkConformance } from '../conformance.ts';
import { cores } from '../machine.ts';
import {
  disturbanceNote,
  named,
  speedRatio,
  throughputTable,
  type Claim,
  type PartResult,
} from '../result.ts';
import { measure, underLoad, type Measured } from '../rounds.ts';
import { startPetstore, type Server } from '../server.ts';
import { format, formatRatio, formatSpread, spreadOf } from '../statistics.ts';
import type { Part } from './part.ts';
import { fallbackNote, fillShared, MISSING_PROGRAMS, startShared } from './shared.ts';

const ONE = 'one instance';
const TWO = 'two instances';
const TARGET = 1.6;
/** Two for the instances, one for the load, one for PostgreSQL, Redis and nginx. */
const CORES_NEEDED = 4;

/** Whether a second instance helps. */
export const instances: Part = {
  name: 'instances',
  about: 'two instances behind nginx on PostgreSQL and Redis, against one',
  async run(bench: Bench): Promise<PartResult> {
    const title = 'Two instances behind nginx against one';
    bench.progress.step(`${title}: starting them`);
    const services = hasNginx ? await startShared(bench) : undefined;
    if (!services)
      return { title, tables: [], claims: [], notes: [MISSING_PROGRAMS, 'nginx is needed as well.'] };

    const data = await fillShared(bench, services.databaseUrl, 100);
    const env = { ...services.env, INSTANCES: '2' };
    const first = await startPetstore(bench, data, { env, trustProxy: true });
    const second = await startPetstore(bench, data, { env, trustProxy: true, on: 'second' });
    const [one = '', two = ''] = await entriesTo(bench, [[first], [first, second]]);
    await checkConformance(TWO, two, data);

    const measured = await measure(
      bench,
      title,
      [asOne(ONE, one, [first]), asOne(TWO, two, [first, second])].map((server) =>
        underLoad(bench, server, {
          method: 'GET',
          target: '/v1/store/orders',
          headers: { Authorization: `Bearer ${data.key}` },
          outcome: 'success',
        }),
      ),
    );
    return {
      title,
      tables: [throughputTable(measured, ONE)],
      notes: [
        'List of 100 orders, through deploy/nginx.conf.',
        ...(await Promise.all([first, second].map(fallbackNote))).flat(),
        ...disturbanceNote(measured),
      ],
      claims: [claimOf(measured)],
    };
  },
};

/** The nginx that operators are given, in front of each group of servers. */
async function entriesTo(bench: Bench, groups: readonly (readonly Server[])[]): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-bench-'));
  bench.onEnd(() => rmSync(folder, { recursive: true, force: true }));
  // Root's nginx has workers of another user, who must be able to enter.
  chmodSync(folder, 0o711);
  const ports = await freePorts(groups.length);
  for (const [index, servers] of groups.entries()) {
    const nginx = await startNginx({
      folder: path.join(folder, `nginx-${index}`),
      port: ports[index] ?? 0,
      instances: servers.map(({ origin }) => Number(new URL(origin).port)),
    });
    bench.onEnd(() => nginx.end('SIGQUIT'));
  }
  return ports.map((port) => `http://127.0.0.1:${port}`);
}

/** Several processes as one server: their CPU time and memory together. */
function asOne(name: string, origin: string, servers: readonly Server[]): Server {
  const [first] = servers;
  if (!first) throw new Error('there is no server');
  const sum = (each: (server: Server) => number | undefined) =>
    servers.reduce<number | undefined>((total, server) => {
      const value = each(server);
      return total === undefined || value === undefined ? undefined : total + value;
    }, 0);
  return {
    ...first,
    name,
    origin,
    cpuTime: () => sum((server) => server.cpuTime()),
    peakMemory: () => sum((server) => server.peakMemory()),
  };
}

function claimOf(measured: readonly Measured[]): Claim {
  const [subject, target] = ['two instances behind nginx', `≥ ${TARGET} × one, where the cores are free`];
  const ratio = speedRatio(measured, TWO, ONE);
  if (cores >= CORES_NEEDED)
    return { subject, target, measured: formatSpread(ratio, formatRatio), met: ratio.median >= TARGET };
  const [one = '–', two = '–'] = [ONE, TWO].map((name) => {
    const known = named(measured, name).samples.flatMap(({ cpu }) => (cpu === undefined ? [] : [cpu]));
    return known.length === 0 ? '–' : format(spreadOf(known).median);
  });
  return {
    subject,
    target,
    measured: `this machine has ${cores} cores of ${CORES_NEEDED}; CPU per request: ${two} µs, of one instance ${one} µs`,
    met: undefined,
  };
}
