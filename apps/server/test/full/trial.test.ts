import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { copyWorkspace, root, type Workspace } from '../support/workspace.ts';
import { internalIn } from '../trial/internal.ts';

/*
 * Everything that docs/contract.md says works, tried on a copy of the workspace with another contract: it is generated
 * from, the types of both sides are compiled, and every operation is called with inputs made from its schemas.
 */

const text = readFileSync(require.resolve('@petstore/contract-tools/trial.yaml'), 'utf8');

let workspace: Workspace;

beforeAll(async () => {
  workspace = copyWorkspace();
  workspace.edit('openapi.yaml', () => text);
  await workspace.generate();
  workspace.edit(
    'apps/server/src/handlers.ts',
    () => `export { createHandlers } from '../test/trial/echo.ts';\n`,
  );
  // The trial has no orders; only these types speak of them.
  workspace.edit('packages/contract/src/types.ts', (types) => types.replace(`['Order']`, `['Pet']`));
  workspace.edit('packages/client/src/types.ts', (types) =>
    types.replace(`type OrderSchema = Schemas['Order']`, `type OrderSchema = Schemas['Pet']`),
  );
  // That of the orders alone.
  workspace.edit('packages/client/src/stream.ts', (entry) =>
    entry.replace(/\/\*\* Lists the orders[^]*/, ''),
  );
});

test('the types of handlers and of the client are what the contract promises', async () => {
  const folder = './apps/server/test/trial';
  const settings = {
    extends: './tsconfig.json',
    compilerOptions: { incremental: false },
    include: [],
    exclude: [],
    files: [`${folder}/handler-types.ts`, `${folder}/client-types.ts`],
  };
  writeFileSync(workspace.file('tsconfig.trial.json'), JSON.stringify(settings));
  await workspace.typecheck('tsconfig.trial.json');
});

test('what handlers receive is what was passed, what callers get is what was answered, and the rest is refused', () =>
  workspace.jest('apps/server', '--testMatch', '**/test/trial/every-operation.ts'));

test('what is internal is in nothing that users get: no client and no tool', async () => {
  const [client, mcp] = ['packages/client', 'packages/mcp'].map((folder) => workspace.file(folder));
  const tsup = path.join(root, 'node_modules/tsup/dist/cli-default.js');
  // The other entry streams the orders, which the trial does not have.
  execFileSync(process.execPath, [tsup, 'src/index.ts'], { cwd: client, stdio: 'ignore' });
  await workspace.typecheck('packages/contract/tsconfig.build.json');
  execFileSync(process.execPath, [tsup], { cwd: mcp, stdio: 'ignore' });
  const built = [client, mcp].flatMap((folder = '') =>
    readdirSync(path.join(folder, 'dist')).map((file) => path.join(folder, 'dist', file)),
  );
  expect(built).toHaveLength(7);
  const lacking = (word: string) => (file: string) => !readFileSync(file, 'utf8').includes(word);
  expect(built.filter((file) => !file.endsWith('.map')).filter(lacking('createPet'))).toEqual([]);
  expect(built.flatMap((file) => internalIn(readFileSync(file, 'utf8')))).toEqual([]);
});

// That everything that works stands in it is held by check-support.test.ts of the contract's tools.
test('nothing of what docs/contract.md says works stands where no operation uses it', async () => {
  // It finds something else as well: an `allOf` of one part, which is there on purpose.
  const linted = workspace.runSource('packages/contract-tools/src/lint/main.ts');
  await expect(linted).rejects.toThrow(/^(?![^]*no-unused-components)[^]*no-illogical-composition-keywords/);
});
