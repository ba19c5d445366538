import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import preset from '../../jest.preset.mjs';

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'package.json'), 'utf8'),
);
/** What Node.js loads itself; marked is not published in a form that it could load for Jest. */
const packages = Object.keys({ ...dependencies, ...devDependencies }).filter(
  (name) => name !== 'marked' && !name.startsWith('@petstore/'),
);

// Express tells its own promises from those of Jest's context, and warns of them.
process.env.NO_DEPRECATION = 'router';

export default {
  ...preset,
  // The client is not built yet.
  moduleNameMapper: {
    '^@petstore/client$': '<rootDir>/../../packages/client/src/index.ts',
    '^@petstore/client/(stream|testing)$': '<rootDir>/../../packages/client/src/$1.ts',
  },
  transform: {
    [`/node_modules/(?:${packages.join('|')})/`]: '<rootDir>/jest.outside.cjs',
    ...preset.transform,
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:marked|${packages.join('|')})/)`],
  testMatch: ['<rootDir>/test/*.test.ts'],
  testSequencer: '<rootDir>/jest.sequencer.cjs',
  // Most suites wait most of the time: for time-outs, for processes, for databases. As a number, because Jest takes
  // "150%" for 150 workers.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
};
