import { notYet } from '@contract-kit/server';
import { idsIn } from '@contract-kit/test-support/contracts';
import { describeService } from '../src/index.ts';
import { contract, library } from './support.ts';

/* A program: the generated test of a service of which one operation is implemented, by the runner of Node.js. */

const handlers = {
  ...Object.fromEntries(idsIn(contract).map((id) => [id, notYet])),
  cancelLoan: () => ({ status: 204 }),
};
describeService({ ...library, features: { all: { ...library.features.all, handlers: () => handlers } } });
