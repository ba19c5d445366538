import path from 'node:path';
import { clientManifest } from '../generator/client-manifest.ts';
import { contractVersion } from '../src/index.ts';

test('the package.json of the client states the version of the contract it was generated from', async () => {
  const contractFile = path.resolve(import.meta.dirname, '../../../openapi.yaml');
  const { present, wanted } = await clientManifest(contractFile);
  expect(present).toBe(wanted);
  expect(JSON.parse(present)).toMatchObject({ petstore: { contract: contractVersion } });
});
