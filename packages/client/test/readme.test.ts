import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { transformSync } from 'esbuild';
import { command, installPacked, type Installed } from './installed.ts';
import { json, refuse, serve, type TestServer } from './server.ts';

const readme = readFileSync(path.resolve(__dirname, '../README.md'), 'utf8');
const examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');
const typeRoots = path.resolve(require.resolve('@types/node/package.json'), '../..');

let installed: Installed;
let server: TestServer;

beforeAll(async () => {
  installed = installPacked();
  server = await serve((request, response) => {
    if (request.method === 'GET')
      return json(response, 200, [{ id: 1, quantity: 2, shipDate: '2026-11-24T09:00:00.000Z' }]);
    if (request.url === '/v1/store/orders/1') return response.writeHead(204).end();
    refuse(response, 409, 'order_already_shipped', { 'x-ratelimit-remaining': 12 });
  });
  // The examples call production, as users do: this sends them here.
  installed.write(
    'reroute.mjs',
    `const send = globalThis.fetch;
globalThis.fetch = (request) => {
  if (!request.url.startsWith('https://api.petstore.example/v1/')) throw new Error('not production: ' + request.url);
  return send(new Request(request.url.replace('https://api.petstore.example/v1', ${JSON.stringify(server.baseUrl)}), request));
};
`,
  );
}, 60_000);
afterAll(async () => {
  installed.remove();
  await server.close();
});

test('every example compiles', () => {
  const files = examples.map((example, index) => installed.write(`example-${index}.mts`, example));
  installed.write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        target: 'es2022',
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: true,
        typeRoots: [typeRoots],
        types: ['node'],
      },
      files,
    }),
  );
  installed.run(command('tsc'), '-p', '.');
}, 60_000);

test.each([
  [0, '1 orders\n'],
  [1, 'Too late: it has shipped.\n'],
  [2, 'It is order_already_shipped. 12 request-1\n'],
  [3, '2026-11-24T09:00:00.000Z\n'],
  [4, '2 units\n'],
  [5, '[ { id: 1, petId: 12 } ] after 250 ms\n'],
])('example %d runs', async (index, output) => {
  const { code } = transformSync(examples[index] ?? '', { loader: 'ts', format: 'esm' });
  const file = installed.write(`example-${index}.mjs`, code);
  const reroute = pathToFileURL(path.join(installed.folder, 'reroute.mjs')).href;
  const child = spawn(process.execPath, ['--import', reroute, file], {
    env: { ...process.env, PETSTORE_API_KEY: 'pst_test' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, complaints, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  expect({ printed, complaints, status }).toEqual({ printed: output, complaints: '', status: 0 });
});

test('every example is run', () => {
  expect(examples).toHaveLength(6);
});
