import type { JsonReport } from '../../probes/database-json.ts';
import type { Part } from '../part.ts';
import { runProbe } from '../command.ts';
import { bearer, copyData, createData, databaseOf, GZIP } from '../data.ts';
import { healthBeside, readLongList, warmUp, type Reading } from '../long-list.ts';
import { profileOfServer } from '../profile.ts';
import { atMost, type Claim } from '../result.ts';
import { startPetstore } from '../server.ts';
import { format, formatRatio, formatSpread, ratioOf, spreadOf } from '../statistics.ts';

const COUNT = 1_000_000;
const STALLED = 20;
const MANY = 300;

/** A list that is too long to be held: read fast, and with readers that take nothing. */
export const million: Part = {
  name: 'list-1000000',
  about:
    'list of a million orders, also with gzip and with 20 stalled readers: memory, loop delay, time; /healthz beside 300 readers',
  async run(bench) {
    const title = 'List of 1,000,000 orders';
    bench.step(`${title}: writing the orders`);
    const data = await createData(bench, COUNT);
    const server = await startPetstore(bench, copyData(data, 'served'), { canProfile: true });
    const headers = bearer(data.key);
    const keys = [...data.others, data.key];
    const readers = Array.from({ length: MANY }, (_, at) => bearer(keys[at % keys.length] ?? ''));
    await warmUp(server, headers);

    const alone: JsonReport[] = [];
    const fast: Reading[] = [];
    const compressed: Reading[] = [];
    const stalled: Reading[] = [];
    for (let round = 1; round <= bench.rounds; round += 1) {
      bench.signal.throwIfAborted();
      bench.step(`${title}: round ${round} of ${bench.rounds}`);
      alone.push(await runProbe<JsonReport>(bench, 'database-json', [databaseOf(data)]));
      fast.push(await readLongList(server, headers));
      compressed.push(await readLongList(server, { ...headers, ...GZIP }));
      stalled.push(await readLongList(server, headers, readers.slice(0, STALLED)));
      const [made, sent] = [alone.at(-1)?.bytes, fast.at(-1)?.bytes];
      if (made !== sent) throw new Error(`the database makes ${made} bytes, and ${sent} were sent`);
    }

    const health: number[] = [];
    for (let round = 1; round <= bench.rounds; round += 1) {
      bench.signal.throwIfAborted();
      bench.step(`${title}: ${MANY} readers at once, round ${round} of ${bench.rounds}`);
      const times = (await healthBeside(server, readers)).sort((a, b) => a - b);
      health.push(times[Math.floor(times.length * 0.99)] ?? Number.NaN);
    }

    const inSql = timesOf(alone);
    const row = (name: string, times: readonly number[], readings: readonly Reading[] = []) => [
      name,
      formatSpread(spreadOf(times)),
      formatSpread(ratioOf(times, inSql), formatRatio),
      formatSpread(spreadOf(readings.map(({ extraMemory }) => extraMemory))),
      formatSpread(spreadOf(readings.map(({ loopDelay }) => loopDelay))),
    ];
    const ofFast = [
      atMost(
        'list of 1,000,000: time',
        1.5,
        '× the database alone (JSON made in SQL)',
        ratioOf(timesOf(fast), inSql),
      ),
      ...claims('a fast reader', fast),
    ];
    const ofHealth = atMost(
      `${MANY} readers of 1,000,000 orders at once: p99 of /healthz`,
      250,
      'ms',
      spreadOf(health),
      format,
    );
    const ofStalled = claims(`with ${STALLED} stalled readers`, stalled);
    const stalling = readers.slice(0, STALLED);
    const profiles = [
      ...(await profileOfServer(bench, ofFast, server, () => readLongList(server, headers))),
      ...(await profileOfServer(bench, [ofHealth], server, () => healthBeside(server, readers))),
      ...(await profileOfServer(bench, ofStalled, server, () => readLongList(server, headers, stalling))),
    ];
    return {
      title,
      tables: [
        {
          head: ['', 'time ms', 'of the database alone', 'extra memory MB', 'loop delay p99 ms'],
          rows: [
            row('SQLite alone, JSON made in SQL', inSql),
            row('petstore, a fast reader', timesOf(fast), fast),
            row('petstore, a fast reader, gzip', timesOf(compressed), compressed),
            row(`petstore, a fast reader beside ${STALLED} stalled ones`, timesOf(stalled), stalled),
          ],
        },
        ...profiles,
      ],
      notes: [
        `The list has ${format((alone[0]?.bytes ?? 0) / 1e6)} MB, with gzip ${format((compressed[0]?.bytes ?? 0) / 1e6)}. Extra memory is the peak while it is read, less what the process had before the first reading. The loop delay is the p99 that /metrics shows, which includes the 10 ms between two looks.`,
        `Of ${MANY} readers at once those that are too many are told so, with 503; the others read on while \`/healthz\` is asked from the core that reads.`,
      ],
      claims: [...ofFast, ofHealth, ...ofStalled],
    };
  },
};

const timesOf = (measured: readonly { time: number }[]) => measured.map(({ time }) => time);

function claims(who: string, readings: readonly Reading[]): Claim[] {
  const most = (what: string, target: number, unit: string, of: (reading: Reading) => number) =>
    atMost(`list of 1,000,000, ${who}: ${what}`, target, unit, spreadOf(readings.map(of)), format);
  return [
    most('extra memory', 64, 'MB', ({ extraMemory }) => extraMemory),
    most('loop delay p99', 15, 'ms', ({ loopDelay }) => loopDelay),
  ];
}
