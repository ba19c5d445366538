import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseContract } from '@kit/tools/source-document';
import { contractOf } from '@kit/tools/contract-value';
import { defineService, notYet } from '../src/index.ts';
import { describeService } from './support/index.ts';

/* What an adopted repository tests, of the contract in open.yaml. */

const file = path.join(import.meta.dirname, '../../tools/test/kitchen-sink/open.yaml');
const names = { name: 'shelves', keyPrefix: 'sh_', databaseFile: 'store.db' };
const contract = contractOf(parseContract(readFileSync(file, 'utf8')), names);
const handlers = Object.fromEntries(Object.keys(contract.operations).map((id) => [id, notYet]));
const feature = { tables: [], open: () => ({}), handlers: () => handlers };

describeService(defineService(contract, { shelves: feature }, { version: '1.0.0', description: 'Shelves.' }));
