import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@contract-kit/test-support';
import { newFolder, startProcess, type Running, until } from '@contract-kit/test-support/testing';
import { copyWorkspace } from '../support/workspace.ts';

/* `npm run dev` in a copy of the workspace. */

// Each test waits for the type check of the whole workspace.
jest.setTimeout(600_000);
const KEEPS = 'dev: the last good server keeps running';
const HANDLERS = 'apps/server/src/orders/handlers.ts';
const workspace = copyWorkspace();
const { edit, file } = workspace;
let dev: Running;
let origin: string;
let key: string;

const output = () => dev.output.stdout + dev.output.stderr;

/** Runs `act`, and resolves to all output after it, once that includes `text`. */
async function says(text: string, act?: () => unknown): Promise<string> {
  Object.assign(dev.output, { stdout: '', stderr: '' });
  act?.();
  await until(() => output().includes(text)).catch((error: unknown) => {
    throw new Error(`not in the output: ${text}; but: ${output()}`, { cause: error });
  });
  return output();
}

async function answer(target: string, method = 'GET'): Promise<string> {
  const response = await fetch(`${origin}${target}`, { method, headers: { authorization: `Bearer ${key}` } });
  return `${response.status} ${await response.text()}`;
}

const isListening = () =>
  fetch(`${origin}/healthz`).then(
    () => true,
    () => false,
  );

async function start(): Promise<void> {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  dev = startProcess('npm', ['run', 'dev', '--', '--port', String(port)], {
    cwd: workspace.folder,
    env: { ...process.env, DATA_DIR: file('.data'), FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, as in a terminal.
    detached: true,
  });
  [, key = ''] = /Bearer (pst_\w+)/.exec(await says('"listening"')) ?? [];
}
beforeAll(start);

afterAll(() => {
  // npm exits by the signal that it receives.
  if (dev.child.exitCode === null && dev.child.signalCode === null)
    process.kill(-Number(dev.child.pid), 'SIGKILL');
});

test('names every caller of a renamed path parameter, while the last good server runs', async () => {
  const rename = (text: string) =>
    text.replace('/orders/{orderId}:', '/orders/{id}:').replace('- name: orderId', '- name: id');
  const good = readFileSync(file('openapi.yaml'), 'utf8');
  const printed = await says(KEEPS, () => edit('openapi.yaml', rename));
  for (const caller of [HANDLERS, 'packages/client/test/promises.test.ts']) {
    const errors = printed.match(new RegExp(`^${caller}\\(\\d+,\\d+\\): error .*orderId`, 'gm')) ?? [];
    expect(errors.length).toBeGreaterThan(0);
    // Code that was generated is not checked again.
    expect(errors).toEqual([...new Set(errors)]);
  }
  expect(await answer('/v1/store/orders/404', 'DELETE')).toContain('No order has the id 404');
  expect(await answer('/openapi.json')).toContain('/store/orders/{orderId}');
  await says('"listening"', () => writeFileSync(file('openapi.yaml'), good));
});

test.each<[string, () => void, RegExp]>([
  [
    'openapi.yaml is deleted',
    () => rmSync(file('openapi.yaml')),
    /^openapi\.yaml:1:1: there is no such file/m,
  ],
  [
    'openapi.yaml is replaced by one with a mistake',
    () => {
      writeFileSync(file('new.yaml'), readFileSync(file('openapi.yaml'), 'utf8').replace(': 300', ': none'));
      renameSync(file('new.yaml'), file('openapi.yaml'));
    },
    /^openapi\.yaml:\d+:\d+: perMinute must be a whole number/m,
  ],
  [
    'a source does not parse',
    () => edit(HANDLERS, (text) => `${text}}`),
    /^apps\/server\/src\/orders\/handlers\.ts\(\d+,\d+\): error/m,
  ],
])('when %s, it names the place, and the last good server runs', async (_how, act, place) => {
  const saved = ['openapi.yaml', HANDLERS].map((name) => [file(name), readFileSync(file(name))] as const);
  expect(await says(KEEPS, act)).toMatch(place);
  expect(await isListening()).toBe(true);
  await says('"listening"', () => {
    for (const [name, content] of saved) writeFileSync(name, content);
  });
});

test('keeps watching a folder that git replaced', async () => {
  const folder = path.dirname(file(HANDLERS));
  const good = readFileSync(file(HANDLERS), 'utf8');
  const saved = newFolder();
  await says('"listening"', () => {
    cpSync(folder, saved, { recursive: true });
    rmSync(folder, { recursive: true });
    cpSync(saved, folder, { recursive: true });
  });
  await says(KEEPS, () => edit(HANDLERS, (text) => `${text}}`));
  await says('"listening"', () => writeFileSync(file(HANDLERS), good));
});

test('starts a server that has exited again after the next change', async () => {
  const main = 'apps/server/src/main.ts';
  const good = readFileSync(file(main), 'utf8');
  await says('dev: the server ended with code 3', () =>
    edit(main, (text) => `setTimeout(() => process.exit(3), 500);\n${text}`),
  );
  expect(await isListening()).toBe(false);
  await says('"listening"', () => writeFileSync(file(main), good));
});

test.each<[string, () => unknown]>([
  ['Ctrl-C', () => process.kill(-Number(dev.child.pid), 'SIGINT')],
  ['SIGTERM to npm', () => dev.child.kill('SIGTERM')],
])('%s stops it, its check and its server', async (_how, stop) => {
  if (dev.child.exitCode !== null || dev.child.signalCode !== null) await start();
  await says('Generated', () => edit(HANDLERS, (text) => `${text}\n`));
  stop();
  await dev.ended;
  expect(await isListening()).toBe(false);
});
