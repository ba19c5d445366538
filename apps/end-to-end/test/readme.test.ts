import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { installPacked, type Installed } from '@kit/local-stack';
import { transformSync } from 'esbuild';

const root = path.resolve(__dirname, '../../..');

function examplesIn(page: string): string[] {
  const markdown = readFileSync(path.join(root, page), 'utf8');
  return [...markdown.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code);
}

/** Those of the package, and the first of the repository. */
const examples = [...examplesIn('packages/client/README.md'), ...examplesIn('README.md').slice(0, 1)];

let installed: Installed;
let service: ChildProcess;
let data: string;
let [key, origin] = ['', ''];

beforeAll(async () => {
  installed = installPacked('packages/client');
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  data = mkdtempSync(path.join(tmpdir(), 'petstore-'));
  const [, ...args] = scripts.start.split(' ');
  const env = { ...process.env, DATA_DIR: data, HOST: '127.0.0.1', PORT: '0' };
  service = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  if (!service.stdout) throw new Error('no output');
  for await (const line of createInterface(service.stdout)) {
    key = /pst_\w+/.exec(line)?.[0] ?? key;
    origin = /http:\/\/[\d.:]+/.exec(line)?.[0] ?? origin;
    if (line.includes('listening')) break;
  }
  service.stdout.resume();
});
afterAll(async () => {
  const exited = once(service, 'exit');
  service.kill();
  await exited;
  installed.remove();
  rmSync(data, { recursive: true, force: true });
});

test('every example of the READMEs compiles', () => {
  installed.compile(Object.fromEntries(examples.map((code, index) => [`${index}.mts`, code])), {
    module: 'nodenext',
    typeRoots: [path.join(root, 'node_modules/@types')],
    types: ['node'],
  });
});

const outputs = [
  /^5 orders\n$/,
  /^Too late: it has shipped.\n$/,
  / has already shipped.* \d+ \S+\nApiError: cancelOrder: 409 order_already_shipped: .*\n$/,
  /^listOrders: 200\n$/,
  /^1\n$/,
  /^19 units\n$/,
  /^409 after 2 attempts and 1000 ms\n$/,
  /^1 2026-12-01T09:00:00.000Z\n2 /,
];

test.each([...examples.entries()])('example %d runs against npm start', async (index, code) => {
  const { code: script } = transformSync(code, { loader: 'ts', format: 'esm' });
  const file = installed.write('example.mjs', script.replace('http://127.0.0.1:3000', origin));
  const child = spawn(process.execPath, [file], {
    env: {
      ...process.env,
      PETSTORE_API_KEY: key,
      PETSTORE_BASE_URL: `${origin}/v1`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(complaints).toBe('');
  expect(printed).toMatch(outputs[index] ?? 'an example without an output');
});
