import { readFileSync, writeFileSync } from 'node:fs';
import { copyWorkspace, type Workspace } from '../support/workspace.ts';

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
  for (const file of ['contract/src/index.ts', 'client/src/types.ts'])
    workspace.edit(`packages/${file}`, (types) =>
      types.replace(/(chemas'?\]?\[)'(?:Order|Pet)'/g, `$1'Book'`),
    );
  // That of the orders alone.
  workspace.edit('packages/client/src/stream.ts', (entry) =>
    entry.replace(/\/\*\* Lists the orders[^]*/, ''),
  );
});

test('the types of handlers and of the client are those of the contract', async () => {
  const folder = './apps/server/test/kitchen-sink';
  const settings = {
    extends: './tsconfig.json',
    compilerOptions: { incremental: false },
    include: [],
    exclude: [],
    files: [`${folder}/handler-types.ts`, `${folder}/client-types.ts`],
  };
  writeFileSync(workspace.file('tsconfig.kitchen-sink.json'), JSON.stringify(settings));
  await workspace.typecheck('tsconfig.kitchen-sink.json');
});

test('the server and the client pass on every valid request and response, and reject all others', () =>
  workspace.jest('apps/server', '--testMatch', '**/test/kitchen-sink/operations.ts'));
