/*
 * A library in its own process whose job `remind` adds a loan of its book, in the transaction that ends the job. It says
 * when a run begins, when it has ended, and why it has failed. A run of the book 0 waits for the signal SIGUSR2, and
 * ignores its own.
 */
import { once } from 'node:events';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { createMetrics } from '../../src/metrics.ts';
import { startService } from '../../src/start.ts';
import { due, remindingLibrary, type RemindJob } from './with-jobs.ts';

const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

export const addingLoans: RemindJob['run'] = ({ book }, { finish, attempt }) =>
  finish(({ store }) => store.create(book, attempt, due));

if (process.argv[1] === import.meta.filename) {
  const { service } = remindingLibrary({
    backoff: () => 0,
    async run(reminder, context) {
      const { attempt, signal } = context;
      if (reminder.book !== 0) return addingLoans(reminder, context);
      print({ began: attempt });
      await once(process, 'SIGUSR2');
      print({ aborted: signal.aborted });
      try {
        await addingLoans(reminder, context);
        print({ ended: attempt });
      } catch (error) {
        print({ failed: (error as Error).message });
        throw error;
      }
    },
  });
  const started = await startService(service, {
    config: readConfig({ ...process.env, PORT: '0' }),
    metrics: createMetrics({ name: 'library', version: '1.0.0' }),
    log: pino({ enabled: false }),
    writeLine: () => undefined,
    validatesResponses: true,
    background: true,
  });
  process.on('SIGTERM', () => void started.stop().then(() => process.exit()));
  print({ origin: started.origin });
}
