import type { Feature, Job, Services } from '../../src/index.ts';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { library } from './library.ts';
import type { LoanStore } from './loan-store.ts';

/** What a reminder is about. */
export interface Reminder {
  readonly book: number;
}
export interface Needed {
  readonly jobs: { readonly remind: Reminder };
}
export type Given = Services<LoanStore, Needed>;
export type RemindJob = Job<Reminder, LoanStore, Needed>;

/** Takes a reminder, and no others. */
function parseReminder(value: unknown): Reminder {
  const { book, ...rest } = value as Partial<Reminder>;
  if (typeof book !== 'number' || Object.keys(rest).length > 0) throw new Error('a reminder has a book');
  return { book };
}

export const due = '2026-12-05T12:00:00.000Z';

/** The library with a job. `given` returns what its feature gets, once it has started. */
export function remindingLibrary(job: Partial<RemindJob> & Pick<RemindJob, 'run'>) {
  const { loans, others } = library.features;
  let given: Given | undefined;
  const reminding: Feature<LoanStore, Record<string, AnyHandler>, Needed, Needed['jobs']> = {
    ...loans,
    handlers(services) {
      given = services;
      return loans.handlers(services);
    },
    jobs: { remind: { parse: parseReminder, ...job } },
  };
  const service = { ...library, features: { loans: reminding, others } };
  return { service, given: () => given as Given };
}
