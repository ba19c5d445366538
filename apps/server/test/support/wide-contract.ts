import { readFileSync } from 'node:fs';
import type { JsonObject } from '@petstore/contract/json-pointer';
import { parseContract } from '@petstore/contract-tools/contract';
import { plainDocument } from '@petstore/contract-tools/generate/plain-document';
import type { Document } from '../../src/pages/contract.ts';
import { servedDocument } from '../../src/pages/served-document.ts';

const trial = readFileSync(require.resolve('@petstore/contract-tools/trial.yaml'), 'utf8');

/** Everything that docs/contract.md says works, as it would be served at `https://api.example/v1`. */
export function wideContract(): Document {
  const own = { url: 'https://api.example/v1', description: 'This server' };
  return servedDocument(plainDocument(parseContract(trial)) as JsonObject, own);
}
