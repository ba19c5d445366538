import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { copyWorkspace, withGetOrder } from '../support/workspace.ts';

/* "Add an operation in five steps" of CONTRIBUTING.md, taken on a copy of the workspace. */

const execute = promisify(execFile);
let workspace: string;
let server: ChildProcess | undefined;

const HANDLER = `
    async getOrder({ path: { orderId } }) {
      for await (const batch of orders.storedBatches()) {
        const id = Number(orderId);
        if (batch.some((order) => order.id === id)) return { status: 200, body: { id } };
      }
      throw new Error('not found');
    },
`;

beforeAll(() => {
  workspace = copyWorkspace();
});

afterAll(() => {
  server?.kill('SIGKILL');
  rmSync(workspace, { recursive: true, force: true });
});

async function run(file: string, ...args: string[]): Promise<string> {
  try {
    return (await execute(process.execPath, [file, ...args], { cwd: workspace })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${file} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

const typecheck = () => run('node_modules/typescript/bin/tsc', '-p', '.');

function edit(file: string, change: (text: string) => string): void {
  const full = path.join(workspace, file);
  const before = readFileSync(full, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(full, after);
}

function digests(folder = workspace): Record<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [
        path.relative(workspace, file),
        createHash('sha256').update(readFileSync(file)).digest('hex'),
      ]),
  );
}

async function serve(): Promise<{ origin: string; key: string }> {
  const args = [
    '--import',
    'tsx',
    '--conditions=@petstore/source',
    'apps/server/src/cli/main.ts',
    'serve',
    '--demo',
    '--port',
    '0',
  ];
  const child = spawn(process.execPath, args, {
    cwd: workspace,
    env: { ...process.env, DATA_DIR: path.join(workspace, '.data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server = child;
  let key = '';
  for await (const line of createInterface({ input: child.stdout })) {
    key ||= /Bearer (pst_\w+)/.exec(line)?.[1] ?? '';
    if (line.includes('"listening"')) return { key, origin: (JSON.parse(line) as { origin: string }).origin };
  }
  throw new Error('the server ended');
}

test('an operation takes the contract, one handler, and what is generated', async () => {
  const before = digests();

  edit('openapi.yaml', withGetOrder);
  await run(
    'node_modules/tsx/dist/cli.mjs',
    '--conditions=@petstore/source',
    'packages/contract-tools/src/generate/main.ts',
  );

  await expect(typecheck()).rejects.toThrow(/src\/orders\/order-handlers\.ts.*getOrder/);

  edit('apps/server/src/orders/order-handlers.ts', (text) =>
    text.replace(/^ {4}listOrders/m, (line) => HANDLER + line),
  );
  await typecheck();

  const { origin, key } = await serve();
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

  const program = path.join(workspace, 'call.ts');
  writeFileSync(
    program,
    `import { createPetstore } from './packages/client/src/index.ts';
     const petstore = createPetstore({ apiKey: '${key}', baseUrl: '${origin}/v1' });
     console.log(JSON.stringify(await petstore.getOrder({ orderId: 2 })));`,
  );
  const call = await run('node_modules/tsx/dist/cli.mjs', '--conditions=@petstore/source', 'call.ts');
  expect(JSON.parse(call)).toMatchObject({ id: 2 });

  // The handler above has a bug, and the fuzzer knows of the operation without being told.
  const fuzzing = run(
    'node_modules/tsx/dist/cli.mjs',
    '--conditions=@petstore/source',
    'apps/server/test/fuzz/main.ts',
    ...['--only', 'getOrder', '--runs', '100', '--seed', '1'],
  );
  await expect(fuzzing).rejects.toThrow(/getOrder: an? \w+ request[^]*the server failed: 500[^]*curl/);

  rmSync(program);
  rmSync(path.join(workspace, '.data'), { recursive: true });
  const after = digests();
  const touched = Object.keys(after)
    .filter((file) => after[file] !== before[file])
    .sort();
  expect(touched.filter((file) => !file.startsWith('packages/contract/src/generated/'))).toEqual([
    'apps/server/src/orders/order-handlers.ts',
    'openapi.yaml',
  ]);
}, 180_000);
