import { readFileSync } from 'node:fs';
import type { JsonObject } from '@petstore/contract/json-pointer';
import { parseContract } from '@petstore/contract-tools/contract';
import { plainDocument } from '@petstore/contract-tools/generate/plain-document';
import type { Document } from '../../src/pages/contract.ts';
import { servedDocument } from '../../src/pages/served-document.ts';

const text = readFileSync(require.resolve('@petstore/contract-tools/kitchen-sink.yaml'), 'utf8');

/** The kitchen-sink contract, as it would be served at `https://api.example/v1`. */
export function servedKitchenSink(): Document {
  const own = { url: 'https://api.example/v1', description: 'This server' };
  return servedDocument(plainDocument(parseContract(text)) as JsonObject, own);
}
