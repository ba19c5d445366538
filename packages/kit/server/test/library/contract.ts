import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contractOf } from '@kit/tools/contract-value';
import { parseContract } from '@kit/tools/source-document';

/** The text of the kitchen-sink contract. */
export const contractText = readFileSync(
  path.join(import.meta.dirname, '../../../tools/test/kitchen-sink/openapi.yaml'),
  'utf8',
);

export const contract = contractOf(parseContract(contractText), {
  name: 'library',
  keyPrefix: 'lib_',
  databaseFile: 'store.db',
});
