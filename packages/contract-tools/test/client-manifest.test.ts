import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contractVersion } from '@petstore/contract';
import { clientManifestFile, root } from '../src/workspace.ts';

test('the package.json of the client states the version of the contract it was generated from', () => {
  const manifest: unknown = JSON.parse(readFileSync(path.join(root, clientManifestFile), 'utf8'));
  expect(manifest).toMatchObject({ petstore: { contract: contractVersion } });
});
