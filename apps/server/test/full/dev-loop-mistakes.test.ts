import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { startDevLoop, type DevLoop } from '../support/dev-loop.ts';

/* `npm run dev`; what the type check and git have to do with it is in dev-loop.test.ts. */

// Each waits for the type check of the whole workspace.
jest.setTimeout(600_000);
const KEEPS = 'the last good server keeps running';
const MENDED = 'all right again';
let dev: DevLoop;
let contract: string;

beforeAll(async () => {
  dev = await startDevLoop();
  contract = dev.file('openapi.yaml');
});

afterAll(() => dev.kill('SIGKILL'));

const halfOf = (text: string) => text.slice(0, text.lastIndexOf('description:') + 12);

test.each<[string, () => void, RegExp]>([
  ['deleted', () => rmSync(contract), /^openapi\.yaml:1:1: there is no such file$/m],
  [
    'replaced by a folder',
    () => {
      rmSync(contract);
      mkdirSync(contract);
    },
    /^openapi\.yaml:1:1: it cannot be read: EISDIR/m,
  ],
  ['saved empty', () => writeFileSync(contract, ''), /^openapi\.yaml:1:1: the contract must be an OpenAPI/m],
  [
    'half-written',
    () => dev.edit('openapi.yaml', halfOf),
    /^openapi\.yaml:\d+:\d+: description is left empty/m,
  ],
  [
    'replaced by one with a mistake',
    () => {
      const text = readFileSync(contract, 'utf8').replace('perMinute: 300', 'perMinute: none');
      writeFileSync(`${contract}~`, text);
      renameSync(`${contract}~`, contract);
    },
    /^openapi\.yaml:\d+:\d+: perMinute must be a whole number/m,
  ],
  [
    'saved with what only the linter finds',
    () => dev.edit('openapi.yaml', (text) => text.replace(/^ {2}license: .*\n/m, '')),
    /^openapi\.yaml:\d+:\d+: .*license.*\(info-license\)$/m,
  ],
])(
  'openapi.yaml %s: what is wrong is said, the server runs on, and mending it is all it takes',
  async (_how, act, mistake) => {
    copyFileSync(contract, `${contract}.good`);
    const said = await dev.says('1 mistake; ', act);
    expect(said).toMatch(mistake);
    expect(await dev.get('/healthz')).toBeDefined();
    await dev.says(MENDED, () => {
      rmSync(contract, { recursive: true, force: true });
      renameSync(`${contract}.good`, contract);
    });
    expect(await dev.get('/healthz')).toBeDefined();
  },
);

test('a source that does not load, or a service that does not start, leaves the last good server where it is', async () => {
  const handlers = 'apps/server/src/orders/order-handlers.ts';
  const good = readFileSync(dev.file(handlers), 'utf8');
  const syntax = await dev.says(KEEPS, () => dev.edit(handlers, (text) => `${text}}`));
  expect(syntax).toMatch(/apps\/server\/src\/orders\/order-handlers\.ts:\d+:\d+/);
  expect(await dev.get('/healthz')).toBeDefined();

  await dev.says('the operation listOrders has no handler', () =>
    writeFileSync(dev.file(handlers), good.replace('listOrders', 'listOrder')),
  );
  expect(await dev.get('/healthz')).toBeDefined();

  await dev.says('"listening"', () => writeFileSync(dev.file(handlers), good));
});

test('what was generated is made again where it was deleted', async () => {
  await dev.says('"listening"', () =>
    rmSync(dev.file('packages/contract/src/generated'), { recursive: true }),
  );
  expect(await dev.get('/healthz')).toBeDefined();
});

test('a source that never ends loading does not keep its mend waiting, nor is it complained of then', async () => {
  const app = dev.file('apps/server/src/app.ts');
  const good = readFileSync(app, 'utf8');
  writeFileSync(app, `console.log('for ever'); for (;;);\n${good}`);
  await dev.says('for ever');
  expect(await dev.get('/healthz')).toBeDefined();
  const mended = await dev.says('"listening"', () => writeFileSync(app, good));
  // That it is overtaken is no mistake.
  expect(mended).not.toContain('the server ended');
});

test('a server that ends is said to have ended, whatever else is wrong, until it runs again', async () => {
  const main = 'apps/server/src/cli/main.ts';
  const good = readFileSync(dev.file(main), 'utf8');
  const ended = await dev.says('1 mistake; the server starts when it is mended', () =>
    dev.edit(main, (text) => `setTimeout(() => process.exit(3), 500);\n${text}`),
  );
  expect(ended).toMatch(/^the server ended with code 3; it starts again after the next change$/m);
  expect(await dev.get('/healthz')).toBeUndefined();
  await dev.says(MENDED, () => writeFileSync(dev.file(main), good));
  expect(await dev.get('/healthz')).toBeDefined();
});

test('when it is killed, nothing of it lives on', async () => {
  await dev.kill('SIGKILL');
  expect(await dev.get('/healthz')).toBeUndefined();
});
