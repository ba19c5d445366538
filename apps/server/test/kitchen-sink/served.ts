import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Contract } from '@kit/contract';
import { parseContract } from '@kit/tools/source-document';
import { contractOf } from '@kit/tools/contract-value';
import { type Document, servedDocument } from '@kit/server/internals';

export const contractFrom = (text: string): Contract =>
  contractOf(parseContract(text), { name: 'kitchen-sink', keyPrefix: 'ks_', databaseFile: 'store.db' });

export const kitchenSink = contractFrom(
  readFileSync(require.resolve('@kit/tools/kitchen-sink.yaml'), 'utf8'),
);

/** A contract without house rules, with the features that the kitchen-sink contract lacks. */
export const openContract = contractFrom(
  readFileSync(path.join(require.resolve('@kit/tools/kitchen-sink.yaml'), '../open.yaml'), 'utf8'),
);

/** The kitchen-sink contract, as served at `https://api.example/v1`. */
export function servedKitchenSink(): Document {
  const own = { url: 'https://api.example/v1', description: 'This server' };
  return servedDocument(kitchenSink, own);
}
