import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contractOf } from '@contract-kit/core/contract-value';
import { parseContract } from '@contract-kit/core/source-document';

const folder = path.join(import.meta.dirname, '../../../../local-stack/kitchen-sink');

/** The text of the kitchen-sink contract. */
export const contractText = readFileSync(path.join(folder, 'openapi.yaml'), 'utf8');

/** The contract without plans, error codes or house rules. */
export const openText = readFileSync(path.join(folder, 'open.yaml'), 'utf8');

/** The contract with what OpenAPI 3.2 adds. */
export const newestText = readFileSync(path.join(folder, 'newest.yaml'), 'utf8');

export const newestContract = () =>
  contractOf(parseContract(newestText), { name: 'newest', keyPrefix: 'new_', databaseFile: 'store.db' });

export const openContract = () =>
  contractOf(parseContract(openText), { name: 'shelves', keyPrefix: 'sh_', databaseFile: 'store.db' });

const names = { name: 'library', keyPrefix: 'lib_', databaseFile: 'store.db' };

/** Another contract, as one of the library. */
export const contractFrom = (text: string) => contractOf(parseContract(text), names);
