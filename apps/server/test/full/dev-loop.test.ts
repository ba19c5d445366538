import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@petstore/local-stack';
import { until } from '../support/until.ts';
import { copyWorkspace, withGetOrder } from '../support/workspace.ts';

/* `npm run dev`, on a copy of the workspace. */

const SLOW = { within: 120_000 };
let workspace: string;
let dev: ChildProcess;
let port: number;
let output = '';

beforeAll(async () => {
  workspace = copyWorkspace();
  port = await freePort();
  dev = spawn(
    process.execPath,
    ['--import', 'tsx', '--conditions=@petstore/source', 'scripts/dev.ts', '--port', String(port)],
    {
      cwd: workspace,
      env: { ...process.env, DATA_DIR: path.join(workspace, '.data'), FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  for (const stream of [dev.stdout, dev.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(() => output.includes('"listening"'), SLOW);
}, 150_000);

afterAll(() => {
  dev.kill('SIGKILL');
  rmSync(workspace, { recursive: true, force: true });
});

const isServing = () =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

function save(change: (contract: string) => string): void {
  output = '';
  const contract = path.join(workspace, 'openapi.yaml');
  writeFileSync(contract, change(readFileSync(contract, 'utf8')));
}

test('saving a file of the docs page restarts the server, which serves it', async () => {
  output = '';
  const icon = path.join(workspace, 'apps/server/src/pages/browser/favicon.svg');
  writeFileSync(icon, readFileSync(icon, 'utf8').replace('</svg>', '<title>new</title></svg>'));
  await until(() => output.includes('"listening"'), SLOW);
  const page = await (await fetch(`http://127.0.0.1:${port}/docs`)).text();
  const [, link = ''] = /href="([^"]+favicon\.svg)"/.exec(page) ?? [];
  expect(await (await fetch(`http://127.0.0.1:${port}${link}`)).text()).toContain('<title>new</title>');
}, 150_000);

test('a mistake is shown where it is while the last good server runs on, and mending it is all it takes', async () => {
  save((contract) => contract.replace('perMinute: 300', 'perMinute: none'));
  await until(() => output.includes('the last good server keeps running'), SLOW);
  expect(output).toMatch(/^openapi\.yaml:\d+:\d+: perMinute must be a whole number above 0, or custom$/m);
  expect(await isServing()).toBe(true);

  save((contract) => contract.replace('perMinute: none', 'perMinute: 301'));
  await until(() => output.includes('"listening"'), SLOW);

  save(withGetOrder);
  await until(() => output.includes('the last good server keeps running'), SLOW);
  expect(output).toMatch(/^apps\/server\/src\/orders\/order-handlers\.ts:\d+:\d+: .*getOrder/m);
  expect(await isServing()).toBe(true);
}, 400_000);

test('Ctrl-C leaves nothing behind', async () => {
  const ended = once(dev, 'exit');
  dev.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  expect(await isServing()).toBe(false);
}, 30_000);
