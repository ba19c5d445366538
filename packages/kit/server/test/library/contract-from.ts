import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contractOf } from '@kit/tools/contract-value';
import { parseContract } from '@kit/tools/source-document';

/** The text of the kitchen-sink contract. */
export const contractText = readFileSync(
  path.join(import.meta.dirname, '../../../tools/test/kitchen-sink/openapi.yaml'),
  'utf8',
);

const names = { name: 'library', keyPrefix: 'lib_', databaseFile: 'store.db' };

/** Another contract, as one of the library. */
export const contractFrom = (text: string) => contractOf(parseContract(text), names);
