import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseContract } from '@kit/tools/source-document';
import { contractOf } from '@kit/tools/contract-value';
import { defineService, notYet } from '../src/index.ts';
import { describeService } from './support/index.ts';

/* The tests that an adopted repository gets, with both kitchen-sink contracts. */

const folder = path.join(import.meta.dirname, '../../tools/test/kitchen-sink');
const names = { name: 'shelves', keyPrefix: 'sh_', databaseFile: 'store.db' };

describe.each(['openapi.yaml', 'open.yaml'])('%s', (file) => {
  const contract = contractOf(parseContract(readFileSync(path.join(folder, file), 'utf8')), names);
  const handlers = Object.fromEntries(Object.keys(contract.operations).map((id) => [id, notYet]));
  const feature = { tables: [], open: () => ({}), handlers: () => handlers };
  describeService(
    defineService(contract, { shelves: feature }, { version: '1.0.0', description: 'Shelves.' }),
  );
});
