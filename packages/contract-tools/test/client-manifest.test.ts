import { contractVersion } from '@petstore/contract';
import { clientManifest } from '../src/generate/files-beside.ts';
import { contractFile } from '../src/workspace.ts';

test('the package.json of the client states the version of the contract it was generated from', async () => {
  const { present, wanted } = await clientManifest(contractFile);
  expect(present).toBe(wanted);
  expect(JSON.parse(present)).toMatchObject({ petstore: { contract: contractVersion } });
});
