import { CursorExpired, type Services } from '../../src/index.ts';
import type { TestServiceOptions } from '../../src/testing/service.ts';
import { library } from '../library/library.ts';
import type { LoanStore } from '../library/loan-store.ts';
import { createTestTools } from './tools.ts';

export interface Change {
  readonly loan: number;
  readonly state: string;
}
type Given = Services<LoanStore, { topics: { changes: Change; notes: string } }>;

export const DAY = 24 * 60 * 60_000;

let services: Given | undefined;
const { loans, others } = library.features;

/** The library with two topics. */
export const withTopics = {
  ...library,
  features: {
    loans: {
      ...loans,
      topics: { changes: {}, notes: { keptFor: DAY } },
      handlers(given: Services<LoanStore>) {
        services = given;
        return loans.handlers(given);
      },
    },
    others,
  },
};
const { startTestService } = createTestTools(withTopics);

/** Starts it. Resolves to it and to the services of its loans. */
export async function start(options: TestServiceOptions = {}) {
  const service = await startTestService(options);
  return { ...service, ...(services as unknown as Given) };
}
export type Started = Awaited<ReturnType<typeof start>>;

/** What a reader gets, as it comes. */
export function follow({ feed }: Started, cursor?: string) {
  const stopping = new AbortController();
  const seen: Change[] = [];
  const cursors: string[] = [];
  const ended = (async () => {
    const entries = await feed.after(cursor, { topic: 'changes', signal: stopping.signal });
    for await (const entry of entries) {
      seen.push(entry.payload);
      cursors.push(entry.cursor);
    }
  })().catch((error: unknown) => error);
  return { seen, cursors, ended, stop: () => stopping.abort() };
}

export const change = (loan: number, state = 'open'): Change => ({ loan, state });

/** Whether a cursor has expired. */
export const isExpired = (service: Started, cursor: string, topic: 'changes' | 'notes' = 'changes') =>
  service.feed.after(cursor, { topic }).then(
    () => false,
    (error: unknown) => error instanceof CursorExpired,
  );
