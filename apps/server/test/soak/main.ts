// `npm run soak`: everything that can come at the service at once, for minutes, and what that leaves behind.
import { setMaxListeners } from 'node:events';
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteStore } from '../../src/store/open-sqlite-store.ts';
import { addKey } from '../fuzz/conformance.ts';
import { KEY } from '../fuzz/requests.ts';
import { servePetstore } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';
import { traffic } from './traffic.ts';

const HELP = `Usage: npm run soak [-- --minutes M]

Serves the store as in production and sends it healthy clients, fuzzed requests, idle connections, stalled readers,
junk, keys that get banned and imports, all at once, for M minutes (default: 10). Then shows memory, handles and the
delay of the event loop before and after.

Exit codes: 0 all is well, 1 it leaks or an answer was wrong, 2 called wrongly.
`;

/** Memory may grow by this much: what is remembered is bounded, and garbage is collected when it pays. Bytes. */
const MAX_GROWTH = 40 * 1024 * 1024;
/** How long everything that is cut off by a time-out may take to go, in milliseconds. */
const SETTLING = 45_000;
const ORDERS = 5_000;

const SHOWN = {
  heap: 'nodejs_heap_size_used_bytes',
  memory: 'process_resident_memory_bytes',
  files: 'process_open_fds',
  handles: 'nodejs_active_handles_total',
  delay: 'nodejs_eventloop_lag_p99_seconds',
} as const;
type State = Record<keyof typeof SHOWN, number>;

async function stateOf(origin: string): Promise<State> {
  const text = await (await fetch(`${origin}/metrics`, { headers: { connection: 'close' } })).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  return Object.fromEntries(Object.entries(SHOWN).map(([key, name]) => [key, read(name)])) as State;
}

function describe(state: State): string {
  const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  return `heap ${megabytes(state.heap)}, memory ${megabytes(state.memory)}, open files ${state.files}, handles ${state.handles}, event loop delay p99 ${(state.delay * 1000).toFixed(1)} ms`;
}

async function soak(minutes: number, dataDir: string): Promise<number> {
  const store = openSqliteStore(dataDir);
  await addKey(store.keys);
  const underway = await store.orders.beginImport();
  await underway.stage(
    Array.from({ length: ORDERS }, (_, index) => ({ id: index + 1, status: 'pending', line: index + 1 })),
  );
  await underway.commit();
  await store.close();
  const server = await servePetstore({
    dataDir,
    env: { LOG_LEVEL: 'info' },
    lifetime: (minutes + 5) * 60_000,
  });
  const { origin } = server;

  const counts = new Map<string, number>();
  const complaints: string[] = [];
  const latencies: number[] = [];
  const lowest: number[] = [];
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const options = {
    origin,
    dataDir,
    key: KEY,
    signal: end.signal,
    complain: (what: string) => void complaints.push(what),
    count: (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    took: (milliseconds: number) => void latencies.push(milliseconds),
  };
  process.once('SIGINT', () => end.abort());

  const before = await stateOf(origin);
  console.log(`before: ${describe(before)}`);
  const parts = Object.entries(traffic).map(([name, part]) =>
    part(options).catch((error: unknown) => void complaints.push(`${name} ended: ${String(error)}`)),
  );
  const started = performance.now();
  const length = minutes * 60_000;
  for (let shown = 0; performance.now() - started < length && !end.signal.aborted; shown += 1) {
    await sleep(Math.min(5_000, length / 20));
    const state = await stateOf(origin);
    lowest.push(state.heap);
    server.output.stdout = server.output.stdout.slice(-10_000);
    if (shown % 12 === 0)
      console.log(`${Math.round((performance.now() - started) / 1000)} s: ${describe(state)}`);
  }
  end.abort();
  await Promise.all(parts);
  await sleep(SETTLING);
  await stateOf(origin);
  await sleep(2_000);
  const after = await stateOf(origin);
  console.log(`after:  ${describe(after)}`);

  const third = Math.floor(lowest.length / 3);
  const growth = Math.min(...lowest.slice(-third)) - Math.min(...lowest.slice(third, 2 * third));
  if (growth > MAX_GROWTH)
    complaints.push(`the heap grew by ${growth} bytes between the second third and the last`);
  if (after.files > before.files + 10) complaints.push(`${after.files - before.files} files stayed open`);
  if (after.handles > before.handles + 10)
    complaints.push(`${after.handles - before.handles} handles stayed`);
  const code = await server.kill('SIGTERM');
  if (code !== 0) complaints.push(`it ended with ${code}: ${server.output.stderr}`);

  latencies.sort((a, b) => a - b);
  const at = (share: number) => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(1);
  console.log(`healthy clients: ${latencies.length} requests, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
  console.log([...counts].map(([what, times]) => `${what}: ${times}`).join(', '));
  for (const complaint of new Set(complaints)) console.error(complaint);
  console.log(complaints.length === 0 ? 'All is well.' : `${complaints.length} complaints.`);
  return complaints.length === 0 ? 0 : 1;
}

const { minutes = '10', help } = (() => {
  try {
    return parseArgs({ options: { minutes: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
      .values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    process.exit(2);
  }
})();
if (help) process.stdout.write(HELP);
else if (/^\d+(\.\d+)?$/.test(minutes) && Number(minutes) > 0) {
  const dataDir = newFolder();
  process.exitCode = await soak(Number(minutes), dataDir).finally(() => rmSync(dataDir, { recursive: true }));
} else {
  console.error(`--minutes cannot be '${minutes}'\n\n${HELP}`);
  process.exitCode = 2;
}
