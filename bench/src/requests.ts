import { checkConformance } from './conformance.ts';
import { copyData, createData, root, type Data } from './data.ts';
import { exchange } from './exchange.ts';
import { applyLoad, warmUpOrders, type Subject } from './load.ts';
import type { Section } from './report.ts';
import type { Row } from './rows.ts';
import { attempt, measureInRounds, type Run, type Stops } from './run.ts';
import { peers, startPeer, startPetstore, startRaw } from './server.ts';
import { startStores } from './stores.ts';
import { format, formatRatio, formatSpread, ratios, spreadOf } from './statistics.ts';

const OURS = 'petstore';
const others = ['node:http', ...peers] as const;

const NOTE = `The columns of the others show their CPU time per request, as a multiple of the service's. Rows that end in \`-shared\` are on PostgreSQL and Redis, all others on SQLite. All servers write an access log to a file, and \`NODE_ENV\` is \`production\`.

The [peers](peers) are written as their documentation shows: they cache neither keys nor lists, and batch no writes. Part of the difference is work that the service does once for several requests. The column "shared" names it. A peer with the same caches would come closer.

- \`key\`: the service looks up an API key in the database every 5 s. A peer looks it up for each request.
- \`list\`: the service caches the text of the list. Once per turn of the event loop it asks the database whether an order has changed. A peer reads all orders and makes JSON of them for each request. In \`list-changing\` another process changes an order up to 4,000 times a second, so the service reads the list anew for every few requests.
- \`commit\`: the service cancels the orders of all requests that arrive in one turn in one commit: with this load, of up to 16. A peer commits each cancel. Both respond after the commit, and both wait for the disk.

Nothing is shared in \`no-key-401\`. \`node:http\` sends a fixed response, without a key, a limit or a database.`;

/** The service, its peers and, for lists, `node:http` that sends the same bytes. */
export async function measureRequests(run: Run, rows: readonly Row[]): Promise<Section> {
  const lines: (readonly string[])[] = [];
  for (const row of rows) {
    const line = await attempt(run, row.name, async (stops) =>
      compare(run, row, await startSubjects(run, row, stops)),
    );
    if (line) lines.push(line);
  }
  return {
    title: 'Requests',
    note: NOTE,
    head: ['', 'requests/s', 'CPU µs/request', 'shared', ...others, 'peak memory, MB', 'target'],
    rows: lines,
  };
}

/** Starts the servers of a row, and adds their stop functions to `stops`. */
async function startSubjects(run: Run, row: Row, stops: Stops): Promise<Subject[]> {
  run.say(`${row.name}: preparing ${row.orders} orders`);
  const subjects: Subject[] = [];
  const add = async (data: Data, start: Promise<Subject['server']>) => {
    const server = await start;
    stops.push(() => server.stop());
    subjects.push({ server, data });
    return server;
  };
  const place = row.isShared ? (await startStores(run, stops, [OURS]))[OURS] : undefined;
  const data = await createData(run, root, row.orders, place);
  // Before the service opens its store, because the file must be complete.
  const ofPeers = row.isShared
    ? [['fastify', data] as const]
    : peers.map((peer) => [peer, copyData(data, peer)] as const);
  const ours = await add(data, startPetstore(run, data, row.env));
  for (const [peer, copy] of ofPeers) await add(copy, startPeer(run, peer, copy, row.env));
  for (const subject of subjects) await checkConformance(subject);
  if (row.status === 200) {
    await add(data, startRaw(run, await exchange(ours.origin, row.request(data))));
  }
  return subjects;
}

async function compare(run: Run, row: Row, subjects: readonly Subject[]): Promise<string[]> {
  for (const subject of subjects) {
    run.say(`${row.name}: warming up ${subject.server.name}`);
    await warmUpOrders(row, subject);
  }
  const loads = subjects.map(
    (subject) => [subject.server.name, () => applyLoad(row, subject, run.seconds)] as const,
  );
  const samples = await measureInRounds(run, row.name, Object.fromEntries(loads));
  const ours = samples[OURS] ?? [];
  const cpuOf = (name: string) => (samples[name] ?? []).map(({ cpu }) => cpu);
  const multiples = (name: string) => ratios(cpuOf(name), cpuOf(OURS));
  return [
    row.name,
    formatSpread(ours.map(({ perSecond }) => perSecond)),
    formatSpread(cpuOf(OURS)),
    row.shares.join(', '),
    ...others.map((name) => (name in samples ? formatSpread(multiples(name), formatRatio) : '')),
    format(subjects.find(({ server }) => server.name === OURS)?.server.peakMemory() ?? Number.NaN),
    verdict(row, (peer) => spreadOf(multiples(peer)).median),
  ];
}

function verdict({ target }: Row, medianOf: (peer: string) => number): string {
  if (!target) return '';
  const isMet = target.peers.every((peer) => medianOf(peer) >= target.ratio);
  return `${target.peers.join(', ')} ≥ ${target.ratio}: ${isMet ? 'met' : '**missed**'}`;
}
