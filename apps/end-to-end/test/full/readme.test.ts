import { readFileSync } from 'node:fs';
import path from 'node:path';
import { installPacked } from '@contract-kit/test-support';
import { newFolder, originOf, startProcess, stopAtEnd } from '@contract-kit/test-support/testing';
import { root } from '@petstore/server/testing';
import { transformSync } from 'esbuild';

function examplesIn(page: string): string[] {
  const markdown = readFileSync(path.join(root, page), 'utf8');
  return [...markdown.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code);
}

const examples = [...examplesIn('packages/client/README.md'), ...examplesIn('README.md')];

const installed = installPacked('packages/client');
afterAll(() => installed.remove());
let [key, origin] = ['', ''];

beforeAll(async () => {
  const env = { ...process.env, DATA_DIR: newFolder(), HOST: '127.0.0.1', PORT: '0' };
  const service = startProcess('npm', ['start'], { cwd: root, env });
  stopAtEnd('service', () => service.kill('SIGTERM'));
  origin = await originOf(service);
  [key = ''] = /pst_\w+/.exec(service.output.stdout) ?? [];
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
  /^1\n$/,
  /^Too late: it has shipped.\n$/,
  / has already shipped.* \d+ \S+\nApiError: cancelOrder: 409 order_already_shipped: .*\n$/,
  /^listOrders: 200\n$/,
  /^19 units\n$/,
  /^409 after 2 attempts and 1000 ms\n$/,
  /^5\n1 2026-12-01T09:00:00.000Z\n2 [^]*\n$/,
];

test.each([...examples.entries()])('example %d runs against npm start', async (index, code) => {
  const { code: script } = transformSync(code, { loader: 'ts', format: 'esm' });
  const file = installed.write('example.mjs', script);
  const env = { ...process.env, PETSTORE_API_KEY: key, PETSTORE_BASE_URL: `${origin}/v1` };
  const { ended, output } = startProcess(process.execPath, [file], { env });
  await ended;
  expect(output.stderr).toBe('');
  expect(output.stdout).toMatch(outputs[index] ?? 'an example without an output');
});
