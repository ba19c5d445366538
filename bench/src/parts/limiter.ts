import type { LimiterReport } from '../../probes/limiter.ts';
import { hasRedis } from '@petstore/local-stack';
import { startRedis } from '../../../apps/server/test/support/redis.ts';
import type { Bench } from '../bench.ts';
import { runProbe } from '../probe.ts';
import { atMost, type Claim, type PartResult, type Table } from '../result.ts';
import { format, formatRatio, formatSpread, ratioOf, spreadOf } from '../statistics.ts';
import type { Part } from './part.ts';

/** What a decision of the limiter costs. */
export const limiter: Part = {
  name: 'limiter',
  about: 'a decision of the limiter: embedded, and in Redis against a bare EVALSHA',
  async run(bench: Bench): Promise<PartResult> {
    const title = 'Limiter';
    bench.progress.step(`${title}: embedded`);
    const embedded = await rounds(bench, ['embedded', bench.folder]);
    const own: Table = {
      head: ['embedded, decisions written behind to SQLite', 'CPU µs per decision'],
      rows: embedded.names.map((name, index) => [
        name,
        formatSpread(spreadOf(embedded.columns[index] ?? [])),
      ]),
    };
    const claims = [atMost('limiter, embedded', 8, 'µs', spreadOf(embedded.columns.at(-1) ?? []), format)];
    if (!hasRedis) {
      return {
        title,
        tables: [own],
        claims,
        notes: ['Redis: not measured; it is not installed (Debian: redis-server).'],
      };
    }

    bench.progress.step(`${title}: Redis`);
    const redis = await startRedis();
    bench.onEnd(() => redis.remove());
    const inRedis = await rounds(bench, ['redis', redis.url]);
    const [serial = [], bareSerial = [], many = [], bareMany = []] = inRedis.columns;
    const commands = inRedis.commands.every((each) => each === 1);
    const row = (name: string, times: readonly number[], bare: readonly number[]) => [
      name,
      formatSpread(spreadOf(times)),
      formatSpread(ratioOf(times, bare), formatRatio),
    ];
    return {
      title,
      tables: [
        own,
        {
          head: ['Redis', 'µs per decision', 'of a bare EVALSHA'],
          rows: [
            row('limiter, one after the other', serial, bareSerial),
            row('bare EVALSHA, one after the other', bareSerial, bareSerial),
            row('limiter, 16 at once', many, bareMany),
            row('bare EVALSHA, 16 at once', bareMany, bareMany),
          ],
        },
      ],
      claims: [
        ...claims,
        oneRoundTrip(commands),
        atMost('limiter, Redis, one after the other', 1.2, '× a bare EVALSHA', ratioOf(serial, bareSerial)),
        atMost('limiter, Redis, 16 at once', 1.2, '× a bare EVALSHA', ratioOf(many, bareMany)),
      ],
    };
  },
};

function oneRoundTrip(met: boolean): Claim {
  const measured = met ? 'one command per decision' : 'more or less than one command per decision';
  return { subject: 'limiter, Redis', target: 'one round trip', measured, met };
}

/** One column of figures for each name. */
async function rounds(
  bench: Bench,
  args: readonly string[],
): Promise<{ names: readonly string[]; columns: number[][]; commands: number[] }> {
  const reports: LimiterReport[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    bench.signal.throwIfAborted();
    reports.push(await runProbe<LimiterReport>(bench, 'limiter', args));
  }
  const names = reports[0]?.names ?? [];
  return {
    names,
    columns: names.map((_, index) => reports.map(({ microseconds }) => microseconds[index] ?? Number.NaN)),
    commands: reports.flatMap((report) => (report.commands === undefined ? [] : [report.commands])),
  };
}
