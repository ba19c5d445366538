import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { startDevLoop, type DevLoop } from '../support/dev-loop.ts';
import { copyWorkspace, withGetOrder } from '../support/workspace.ts';

/* `npm run dev` on a copy of the workspace that is a repository; mistakes are in dev-loop-mistakes.test.ts. */

// Each waits for the type check of the whole workspace.
jest.setTimeout(600_000);
const MENDED = 'all right again';
let dev: DevLoop;
let git: (...args: string[]) => void;

beforeAll(async () => {
  const workspace = copyWorkspace();
  git = (...args) => {
    const who = ['-c', 'user.name=dev', '-c', 'user.email=dev@petstore.example'];
    execFileSync('git', [...who, ...args], { cwd: workspace.folder, stdio: 'ignore' });
  };
  git('init', '--initial-branch=good');
  git('add', '--all');
  git('commit', '--message=good');
  dev = await startDevLoop(workspace);
});

afterAll(() => dev.kill('SIGKILL'));

test('saving a file of the docs page restarts the server, which serves it', async () => {
  await dev.says('"listening"', () =>
    dev.edit('apps/server/src/pages/browser/favicon.svg', (text) =>
      text.replace('</svg>', '<title>new</title></svg>'),
    ),
  );
  const [, link = ''] = /href="([^"]+favicon\.svg)"/.exec((await dev.get('/docs')) ?? '') ?? [];
  expect(await dev.get(link)).toContain('<title>new</title>');
});

test('an operation without a handler is shown where one has to stand, and the last good server runs on', async () => {
  const handlers = 'apps/server/src/orders/order-handlers.ts';
  const said = await dev.says('order-handlers.ts:', () => dev.edit('openapi.yaml', withGetOrder));
  expect(said).toMatch(/^Error: the operation getOrder has no handler/m);
  expect(said).toMatch(/^apps\/server\/src\/orders\/order-handlers\.ts:\d+:\d+: .*getOrder/m);
  expect(await dev.get('/openapi.json')).not.toContain('getOrder');

  await dev.says(MENDED, () =>
    dev.edit(handlers, (text) =>
      text.replace(/^ {4}listOrders/m, (line) => `    getOrder: () => ({ status: 200, body: {} }),\n${line}`),
    ),
  );
  expect(await dev.get('/openapi.json')).toContain('getOrder');
});

test('a mistake that only the compiler sees is shown, while the server runs with it', async () => {
  const handlers = 'apps/server/src/orders/order-handlers.ts';
  const said = await dev.says('1 mistake; the server runs all the same', () =>
    dev.edit(handlers, (text) => `${text}\nexport const wrong: string = 1;\n`),
  );
  expect(said).toMatch(/^apps\/server\/src\/orders\/order-handlers\.ts:\d+:\d+: Type 'number'/m);
  await dev.says(MENDED, () => dev.edit(handlers, (text) => text.replace(/\nexport const wrong.*\n/, '')));
});

test('where the settings of the compiler cannot be read, that is all that is said', async () => {
  const settings = 'tsconfig.base.json';
  const good = readFileSync(dev.file(settings), 'utf8');
  const said = await dev.says('1 mistake; ', () => dev.edit(settings, () => '{ "compilerOptions": {'));
  expect(said).toMatch(/^tsconfig\.base\.json:1:\d+: /m);
  await dev.says(MENDED, () => dev.edit(settings, () => good));
});

test('git switch takes contract, sources and server to the other branch, and back', async () => {
  git('switch', '--create=changed');
  git('commit', '--all', '--message=changed');
  await dev.says('"listening"', () => git('switch', 'good'));
  expect(await dev.get('/openapi.json')).not.toContain('getOrder');
  await dev.says('"listening"', () => git('switch', 'changed'));
  expect(await dev.get('/openapi.json')).toContain('getOrder');

  git('switch', '--create=without-contract');
  await dev.says('there is no such file', () => git('rm', 'openapi.yaml'));
  git('commit', '--message=without');
  await dev.says(MENDED, () => git('switch', 'changed'));
  expect(readFileSync(dev.file('openapi.yaml'), 'utf8')).toContain('getOrder');
});

test('Ctrl-C leaves nothing behind', async () => {
  process.kill(-Number(dev.child.pid), 'SIGINT');
  expect(await dev.ended).toBe(0);
  expect(await dev.get('/healthz')).toBeUndefined();
});
