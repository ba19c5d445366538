import type { JsonReport } from '../../probes/database-json.ts';
import type { Bench } from '../bench.ts';
import { copyData, createData, databaseOf } from '../data.ts';
import { readLongList, warmUp, type Reading } from '../long-list.ts';
import { runProbe } from '../probe.ts';
import { atMost, type Claim, type PartResult } from '../result.ts';
import { startPetstore } from '../server.ts';
import { format, formatRatio, formatSpread, ratioOf, spreadOf } from '../statistics.ts';
import type { Part } from './part.ts';

const COUNT = 1_000_000;
const STALLED = 20;
const MEGABYTE = 1e6;

/** A list that is too long to be held: read fast, and with readers that take nothing. */
export const million: Part = {
  name: 'list-1000000',
  about: 'list of a million orders, also with 20 stalled readers: memory, loop delay, time',
  async run(bench: Bench): Promise<PartResult> {
    const title = 'List of 1,000,000 orders';
    bench.progress.step(`${title}: writing the orders`);
    const data = await createData(bench, COUNT);
    const server = await startPetstore(bench, copyData(data, 'served'));
    const headers = { Authorization: `Bearer ${data.key}` };
    await warmUp(server, headers);

    const alone: JsonReport[] = [];
    const fast: Reading[] = [];
    const stalled: Reading[] = [];
    for (let round = 1; round <= bench.rounds; round += 1) {
      bench.signal.throwIfAborted();
      bench.progress.step(`${title}: round ${round} of ${bench.rounds}`);
      alone.push(await runProbe<JsonReport>(bench, 'database-json', [databaseOf(data)]));
      fast.push(await readLongList(server, headers));
      stalled.push(await readLongList(server, headers, STALLED));
      const [made, sent] = [alone.at(-1)?.bytes, fast.at(-1)?.bytes];
      if (made !== sent) throw new Error(`the database makes ${made} bytes, and ${sent} were sent`);
    }

    const inSql = alone.map((report) => report.inSql);
    const times = (readings: readonly Reading[]) => readings.map(({ time }) => time);
    return {
      title,
      tables: [
        {
          head: ['', 'time ms', 'of the database alone', 'extra memory MB', 'loop delay p99 ms'],
          rows: [
            ['SQLite alone, JSON made in SQL', formatSpread(spreadOf(inSql)), '1', '–', '–'],
            [
              'better-sqlite3 and JSON.stringify, page by page',
              formatSpread(spreadOf(alone.map((report) => report.inJavaScript))),
              formatSpread(
                ratioOf(
                  alone.map((report) => report.inJavaScript),
                  inSql,
                ),
                formatRatio,
              ),
              '–',
              '–',
            ],
            row('petstore, a fast reader', fast, inSql),
            row(`petstore, a fast reader beside ${STALLED} stalled ones`, stalled, inSql),
          ],
        },
      ],
      notes: [
        `The list has ${format((alone[0]?.bytes ?? 0) / MEGABYTE)} MB. Extra memory is the peak while it is read, less what the process had before the first reading. The loop delay is the p99 that /metrics shows, which includes the 10 ms between two looks.`,
      ],
      claims: [
        atMost(
          'list of 1,000,000: time',
          1.5,
          '× the database alone (JSON made in SQL)',
          ratioOf(times(fast), inSql),
        ),
        ...claims('a fast reader', fast),
        ...claims(`with ${STALLED} stalled readers`, stalled),
      ],
    };
  },
};

function claims(who: string, readings: readonly Reading[]): Claim[] {
  return [
    claim(`list of 1,000,000, ${who}: extra memory`, 64, 'MB', readings.map(megabytes)),
    claim(
      `list of 1,000,000, ${who}: loop delay p99`,
      20,
      'ms',
      readings.map(({ loopDelay }) => loopDelay),
    ),
  ];
}

function claim(subject: string, most: number, unit: string, values: readonly (number | undefined)[]): Claim {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return { subject, target: `≤ ${most} ${unit}`, measured: '–', met: undefined };
  return atMost(subject, most, unit, spreadOf(known), format);
}

function row(name: string, readings: readonly Reading[], alone: readonly number[]): string[] {
  const times = readings.map(({ time }) => time);
  const known = (values: readonly (number | undefined)[]) => {
    const numbers = values.filter((value) => value !== undefined);
    return numbers.length === 0 ? '–' : formatSpread(spreadOf(numbers));
  };
  return [
    name,
    formatSpread(spreadOf(times)),
    formatSpread(ratioOf(times, alone), formatRatio),
    known(readings.map(megabytes)),
    known(readings.map(({ loopDelay }) => loopDelay)),
  ];
}

function megabytes({ extraMemory }: Reading): number | undefined {
  return extraMemory === undefined ? undefined : extraMemory / MEGABYTE;
}
