import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { addedOperations, copyWorkspace, root, withHandlers, withOperations } from '@petstore/server/testing';

/* "Add an operation in five steps" of CONTRIBUTING.md, taken on a copy of the workspace. */

function digests(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [
        path.relative(folder, file),
        createHash('sha256').update(readFileSync(file)).digest('hex'),
      ]),
  );
}

test('an operation of any kind needs only the contract, a handler and generated code', async () => {
  const workspace = copyWorkspace();
  const before = digests(workspace.folder);
  const write = (file: string, change: (text: string) => string) =>
    writeFileSync(workspace.file(file), change(readFileSync(path.join(root, file), 'utf8')));
  async function describe(operations: typeof addedOperations): Promise<void> {
    write('openapi.yaml', (text) => withOperations(text, operations));
    await workspace.generate();
  }
  async function handle(operations: typeof addedOperations): Promise<void> {
    for (const feature of ['orders', 'pets'] as const) {
      const own = operations.filter((operation) => operation.feature === feature);
      write(`apps/server/src/${feature}/handlers.ts`, (text) => withHandlers(text, own));
    }
    await workspace.typecheck();
  }

  await describe(addedOperations);
  await expect(workspace.typecheck()).rejects.toThrow(/readonly unhandled: .*"getOrder"/);
  for (const operations of [...addedOperations.map((operation) => [operation]), addedOperations]) {
    await describe(operations);
    await handle(operations);
  }

  const { origin, key, stop } = await workspace.serve();
  const get = (target: string) =>
    fetch(`${origin}/v1/store/orders/${target}`, { headers: { authorization: `Bearer ${key}` } });
  expect(await (await get('2')).json()).toMatchObject({ id: 2 });
  expect((await get("2?note=it's(ok)*")).status).toBe(200);
  expect(await (await get('2/labels/en')).text()).toBe('en 2');
  expect((await get('0')).status).toBe(400);
  const program = workspace.file('call.ts');
  writeFileSync(
    program,
    `import { createPetstore } from './packages/client/src/index.ts';
     const petstore = createPetstore({ apiKey: '${key}', baseUrl: '${origin}/v1' });
     console.log(JSON.stringify(await petstore.getOrder({ orderId: 2 })));`,
  );
  expect(JSON.parse(await workspace.runSource('call.ts'))).toMatchObject({ id: 2 });
  await stop();
  rmSync(program);
  rmSync(workspace.file('.data'), { recursive: true });

  const after = digests(workspace.folder);
  const touched = Object.keys(after)
    .filter((file) => after[file] !== before[file])
    .sort();
  const generated = /^(packages\/(contract\/src\/generated\/|client\/src\/|mcp\/README\.md$)|deploy\/)/;
  expect(touched.filter((file) => !generated.test(file))).toEqual([
    'apps/server/src/orders/handlers.ts',
    'apps/server/src/pets/handlers.ts',
    'openapi.yaml',
  ]);

  // New operations need a minor version.
  workspace.edit('openapi.yaml', (text) => text.replace('\n  version: 1.0.0\n', '\n  version: 1.1.0\n'));
  await workspace.generate();
  await workspace.check();
}, 900_000);
