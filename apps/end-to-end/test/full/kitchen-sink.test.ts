import { readFileSync, writeFileSync } from 'node:fs';
import { copyWorkspace, type Workspace } from '@petstore/server/testing';

/*
 * Everything that docs/contract.md says works, in a copy of the workspace with the kitchen-sink contract: it is generated
 * from, the types of both sides are compiled, and every operation is called with inputs made from its schemas.
 */

const text = readFileSync(require.resolve('@kit/tools/kitchen-sink.yaml'), 'utf8');

let workspace: Workspace;

beforeAll(async () => {
  workspace = copyWorkspace();
  workspace.edit('openapi.yaml', () => text);
  await workspace.generate();
  // The contract has neither orders nor pets; only these types speak of them.
  workspace.edit('packages/contract/src/index.ts', (types) =>
    types.replace(/(chemas'?\]?\[)'(?:Order|Pet)'/g, `$1'Book'`),
  );
});

test('the types of handlers and of the client are those of the contract', async () => {
  const settings = {
    extends: './tsconfig.json',
    compilerOptions: { incremental: false },
    include: [],
    exclude: [],
    files: [
      './apps/server/test/kitchen-sink/handler-types.ts',
      './apps/end-to-end/test/kitchen-sink/client-types.ts',
    ],
  };
  writeFileSync(workspace.file('tsconfig.kitchen-sink.json'), JSON.stringify(settings));
  await workspace.typecheck('tsconfig.kitchen-sink.json');
});

test('the server and the client pass on every valid request and response, and reject all others', () =>
  workspace.jest('apps/end-to-end', '--testMatch', '**/test/kitchen-sink/operations.ts'));
