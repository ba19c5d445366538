import { readModel } from '@contract-kit/core/model';
import { notYet } from '../../src/index.ts';
import { describeService } from '../../src/testing/describe-service.ts';
import { library } from './library.ts';

/* A program: the generated test of a service of which one operation is implemented, by the runner of Node.js. */

type Loans = typeof library.features.loans;
const { loans, others } = library.features;
const { operations } = readModel(library.contract.document);
const unfinished = Object.fromEntries(operations.map(({ id }) => [id, notYet]));
describeService({
  ...library,
  features: {
    loans: {
      ...loans,
      handlers: (services: Parameters<Loans['handlers']>[0]) => ({
        ...unfinished,
        cancelLoan: loans.handlers(services)['cancelLoan'],
      }),
    },
    others: { ...others, handlers: () => ({}) },
  },
});
