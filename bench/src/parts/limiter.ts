import { notInstalled } from '@petstore/local-stack';
import type { LimiterReport } from '../../probes/limiter.ts';
import type { Bench } from '../bench.ts';
import type { Part } from '../part.ts';
import { runProbe } from '../command.ts';
import { profileOfRun } from '../profile.ts';
import { atMost, type Claim, type PartResult } from '../result.ts';
import { format, formatRatio, formatSpread, ratioOf, spreadOf } from '../statistics.ts';
import { startRedis } from '../stores.ts';

/** What a decision of the limiter costs. */
export const limiter: Part = {
  name: 'limiter',
  about: 'a decision of the limiter: embedded, and in Redis against a bare EVALSHA',
  async run(bench) {
    bench.step('Limiter: embedded');
    const inProcess = ['embedded', bench.folder];
    const embedded = await rounds(bench, inProcess);
    const cost = spreadOf(Object.values(embedded).at(-1) ?? []);
    const claims = [atMost('limiter, embedded', 8, 'µs', cost, format)];
    const missing = notInstalled('Redis');
    const profile = (missed: readonly Claim[], args: readonly string[]) =>
      profileOfRun(bench, missed, (node) => runProbe(bench, 'limiter', args, node));
    const ofEmbedded: PartResult = {
      title: 'Limiter',
      tables: [
        {
          head: ['embedded, decisions written behind to SQLite', 'CPU µs per decision'],
          rows: Object.entries(embedded).map(([name, times]) => [name, formatSpread(spreadOf(times))]),
        },
        ...(await profile(claims, inProcess)),
      ],
      claims,
      notes: missing === undefined ? [] : [`Redis: not measured; ${missing}.`],
    };
    if (missing !== undefined) return ofEmbedded;

    bench.step('Limiter: Redis');
    const args = ['redis', `redis://127.0.0.1:${await startRedis(bench)}`];
    const { commands = [], ...inRedis } = await rounds(bench, args);
    const of = (who: string, how: string) => inRedis[`${who}, ${how}`] ?? [];
    const met = commands.every((each) => each === 1);
    const measured = met ? 'one command per decision' : 'more or less than one command per decision';
    const ofRedis: Claim[] = [{ subject: 'limiter, Redis', target: 'one round trip', measured, met }];
    const rows: string[][] = [];
    for (const how of ['one after the other', '16 at once']) {
      for (const who of ['limiter', 'bare EVALSHA']) {
        const ratio = ratioOf(of(who, how), of('bare EVALSHA', how));
        rows.push([`${who}, ${how}`, formatSpread(spreadOf(of(who, how))), formatSpread(ratio, formatRatio)]);
        if (who === 'limiter') ofRedis.push(atMost(`limiter, Redis, ${how}`, 1.2, '× a bare EVALSHA', ratio));
      }
    }
    const table = { head: ['Redis', 'µs per decision', 'of a bare EVALSHA'], rows };
    const tables = [...ofEmbedded.tables, table, ...(await profile(ofRedis, args))];
    return { ...ofEmbedded, tables, claims: [...claims, ...ofRedis] };
  },
};

/** The figures of each round, by name. */
async function rounds(bench: Bench, args: readonly string[]): Promise<Record<string, number[]>> {
  const figures: Record<string, number[]> = {};
  for (let round = 0; round < bench.rounds; round += 1) {
    bench.signal.throwIfAborted();
    const report = await runProbe<LimiterReport>(bench, 'limiter', args);
    for (const [name, figure] of Object.entries(report)) (figures[name] ??= []).push(figure);
  }
  return figures;
}
