import { readFileSync } from 'node:fs';
import type { Contract } from '@kit/contract';
import { parseContract } from '@kit/tools/source-document';
import { contractOf } from '@kit/tools/contract-value';
import { type Document, servedDocument } from '@kit/server/internals';

const text = readFileSync(require.resolve('@kit/tools/kitchen-sink.yaml'), 'utf8');

export const kitchenSink: Contract = contractOf(parseContract(text), {
  name: 'kitchen-sink',
  keyPrefix: 'ks_',
  databaseFile: 'store.db',
});

/** The kitchen-sink contract, as it would be served at `https://api.example/v1`. */
export function servedKitchenSink(): Document {
  const own = { url: 'https://api.example/v1', description: 'This server' };
  return servedDocument(kitchenSink, own);
}
