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

test('an operation takes the contract, one handler, and what is generated', async () => {
  const workspace = copyWorkspace();
  const before = digests(workspace.folder);

  const added = addedOperations.filter(({ id }) => id === 'getOrder');
  workspace.edit('openapi.yaml', (text) => withOperations(text, added));
  await workspace.generate();

  await expect(workspace.typecheck()).rejects.toThrow(/src\/orders\/handlers\.ts.*getOrder/);

  workspace.edit('apps/server/src/orders/handlers.ts', (text) =>
    withHandlers(text, added).replace(/return errorResponse.*'not found'\)/, "throw new Error('not found')"),
  );
  await workspace.typecheck();

  const { origin, key, stop } = await workspace.serve();
  const response = await fetch(`${origin}/v1/store/orders/2`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ id: 2 });

  const withQuery = await fetch(`${origin}/v1/store/orders/2?note=it's(ok)*`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(withQuery.status).toBe(200);
  const outOfBounds = await fetch(`${origin}/v1/store/orders/0`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(outOfBounds.status).toBe(400);

  const program = workspace.file('call.ts');
  writeFileSync(
    program,
    `import { createPetstore } from './packages/client/src/index.ts';
     const petstore = createPetstore({ apiKey: '${key}', baseUrl: '${origin}/v1' });
     console.log(JSON.stringify(await petstore.getOrder({ orderId: 2 })));`,
  );
  const call = await workspace.runSource('call.ts');
  expect(JSON.parse(call)).toMatchObject({ id: 2 });

  // The tools have it, and no test of theirs has to be told.
  await workspace.jest('packages/mcp', 'tools.test', '-t', 'there is a tool');
  // The handler above has a bug, and the fuzzer knows of the operation without being told.
  const fuzzing = workspace.jest('apps/server', 'fuzz.test', '-t', 'getOrder');
  await expect(fuzzing).rejects.toThrow(/an? \w+ request: GET \/v1\/store\/orders[^]*the server failed: 500/);

  await stop();
  rmSync(program);
  rmSync(workspace.file('.data'), { recursive: true });
  const after = digests(workspace.folder);
  const touched = Object.keys(after)
    .filter((file) => after[file] !== before[file])
    .sort();
  const generated = /^packages\/(contract\/src\/generated\/|client\/src\/|mcp\/README\.md$)/;
  expect(touched.filter((file) => !generated.test(file))).toEqual([
    'apps/server/src/orders/handlers.ts',
    'openapi.yaml',
  ]);
});

test('operations of every kind compile, each alone, and pass npm run check together', async () => {
  const workspace = copyWorkspace();
  const write = (file: string, change: (text: string) => string) =>
    writeFileSync(workspace.file(file), change(readFileSync(path.join(root, file), 'utf8')));
  // New operations are a minor change, which contract:diff asks a version for.
  const released = (text: string) => text.replace('\n  version: 1.0.0\n', '\n  version: 1.1.0\n');
  for (const operations of [...addedOperations.map((operation) => [operation]), addedOperations]) {
    write('openapi.yaml', (text) => withOperations(released(text), operations));
    for (const feature of ['orders', 'pets'] as const) {
      const own = operations.filter((operation) => operation.feature === feature);
      write(`apps/server/src/${feature}/handlers.ts`, (text) => withHandlers(text, own));
    }
    await workspace.generate();
    await workspace.typecheck();
  }
  await workspace.check();
}, 600_000);
