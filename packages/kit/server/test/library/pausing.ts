/*
 * A library whose handler of `createBook` adds a loan, and waits for the signal SIGUSR2 before or after that, if the book is
 * called so. With ATOMIC it says that it has no other effects.
 */
import { once } from 'node:events';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { atomic } from '../../src/index.ts';
import { createMetrics } from '../../src/metrics.ts';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { startService } from '../../src/start.ts';
import { library } from './library.ts';

const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function pause(): Promise<void> {
  const resumed = once(process, 'SIGUSR2');
  print({ paused: true });
  await resumed;
}

const createBook: AnyHandler = async ({ body }) => {
  const book = body as { name: string };
  if (book.name === 'before') await pause();
  const response = await service.store.transaction(async (_stores, query) => {
    const [row] = await query<{ id: number }>('INSERT INTO loans (book_id) VALUES (1) RETURNING id');
    return {
      status: 201,
      headers: { Location: `/v1/books/${row?.id}` },
      body: { ...book, id: row?.id, asked: 1 },
    };
  });
  if (book.name === 'after') await pause();
  return response;
};

const service = await startService(library, {
  config: readConfig({ ...process.env, PORT: '0' }),
  metrics: createMetrics({ name: 'library', version: '1.0.0' }),
  log: pino({ enabled: false }),
  writeLine: () => undefined,
  validatesResponses: true,
  handlers: { createBook: process.env['ATOMIC'] === undefined ? createBook : atomic(createBook) },
});
print({ origin: service.origin });
