/* A library whose background work, on one instance at a time, adds loans of the book BOOK, and ignores its signal. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import type { Background, Services } from '../../src/index.ts';
import { createMetrics } from '../../src/metrics.ts';
import { startService } from '../../src/start.ts';
import { library } from './library.ts';
import type { LoanStore } from './loan-store.ts';

/** Work that adds a loan of `book` every 100 ms, each in a transaction, until `ends` says so of its signal. */
export const addingLoansOf = (
  book: number,
  ends: (signal: AbortSignal) => boolean,
): Background<Services<LoanStore>> => ({
  once: true,
  async run({ transaction }, signal) {
    while (!ends(signal)) {
      await transaction(({ store }) => store.create(book, 1, '2026-12-05T12:00:00.000Z'));
      await sleep(100);
    }
  },
});

if (process.argv[1] === import.meta.filename) {
  const { loans, others } = library.features;
  const background = addingLoansOf(Number(process.env['BOOK']), () => false);
  const { origin } = await startService(
    { ...library, features: { loans: { ...loans, background }, others } },
    {
      config: readConfig({ ...process.env, PORT: '0' }),
      metrics: createMetrics({ name: 'library', version: '1.0.0' }),
      log: pino({ enabled: false }),
      writeLine: () => undefined,
      validatesResponses: true,
      background: true,
      handover: 0,
    },
  );
  process.stdout.write(`${JSON.stringify({ origin })}\n`);
}
