import { parseTick, type Feature, type Job, type Services, type Tick } from '../../src/index.ts';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { library } from './library.ts';
import type { LoanStore } from './loan-store.ts';

interface Needed {
  readonly jobs: { readonly close: Tick };
}
export type CloseJob = Job<Tick, LoanStore, Needed>;

/** The library, which closes at the times of `every`, and only when it is asked to without. */
export function closingLibrary(job: Pick<CloseJob, 'run'> & Partial<CloseJob>) {
  const { loans, others } = library.features;
  let given: Services<LoanStore, Needed> | undefined;
  const closing: Feature<LoanStore, Record<string, AnyHandler>, Needed, Needed['jobs']> = {
    ...loans,
    handlers(services) {
      given = services;
      return loans.handlers(services);
    },
    jobs: { close: { parse: parseTick, ...job } },
  };
  return {
    service: { ...library, features: { loans: closing, others } },
    given: () => given as Services<LoanStore, Needed>,
  };
}
