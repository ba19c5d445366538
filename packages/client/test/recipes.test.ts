import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { exampleFolder, examplesIn, type ExampleFolder } from './examples.ts';
import { command } from './installed.ts';
import { listen } from './server.ts';

const recipes = new Map(examplesIn('docs/recipes.md').map(({ name, code }) => [name, code]));
const fine = { complaints: '', status: 0 };

let folder: ExampleFolder;
beforeAll(async () => {
  folder = await exampleFolder(['msw', 'undici', 'vite', '@tanstack', '@opentelemetry']);
});
afterAll(() => folder.close());

test('all compile', () => {
  folder.compile([...recipes.values()]);
});

const run = new Set<string>();
const recipe = (name: string) => {
  run.add(name);
  return recipes.get(name) ?? '';
};

test('Jest and Vitest', () => {
  folder.write('recipe.test.ts', recipe('jest'));
  const root = path.resolve(__dirname, '../../..');
  folder.write(
    'jest.config.json',
    JSON.stringify({
      testEnvironmentOptions: { customExportConditions: ['require', 'node', 'default'] },
      transform: {
        '\\.ts$': [path.join(root, 'node_modules/@swc/jest'), { jsc: { parser: { syntax: 'typescript' } } }],
      },
    }),
  );
  // Throws if a test fails; Jest prints to its standard error.
  folder.run(command('jest'), '--ci', '--passWithNoTests=false', '--config', 'jest.config.json', 'recipe');
});

test('msw', async () => {
  expect(await folder.runExample(recipe('msw'))).toEqual({ ...fine, printed: 'cancelled\n' });
  expect(folder.server.requests).toEqual([]);
});

test('TanStack Query', async () => {
  expect(await folder.runExample(recipe('query'))).toEqual({ ...fine, printed: '1 orders\n' });
});

test('SWR', async () => {
  expect(await folder.runExample(recipe('swr'))).toEqual({ ...fine, printed: '1 orders\n' });
});

test('Next.js', async () => {
  const next = `
const send = globalThis.fetch;
globalThis.fetch = (url, init) => (console.log(init.method, JSON.stringify(init.next)), send(url, init));
`;
  const cancel = 'await petstore.cancelOrder({ orderId: 1 });';
  const printed = 'GET {"revalidate":60,"tags":["orders"]}\n1 orders\nDELETE undefined\n';
  expect(await folder.runExample(next + recipe('next') + cancel)).toEqual({ ...fine, printed });
});

test('Vite, with a proxy', async () => {
  folder.write('vite.config.ts', recipe('vite'));
  const PETSTORE_ORIGIN = new URL(folder.server.baseUrl).origin;
  const vite = spawn(process.execPath, [command('vite'), '--host', '127.0.0.1', '--port', '0'], {
    cwd: folder.folder,
    env: { ...process.env, NO_COLOR: '1', PETSTORE_ORIGIN, PETSTORE_API_KEY: 'pst_test' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let origin: string | undefined;
  for await (const line of createInterface(vite.stdout)) {
    origin = /http:\S+:\d+/.exec(line)?.[0];
    if (origin) break;
  }
  // A request without the key is answered with 401.
  const page = `globalThis.location = new URL('${origin}/index.html');\n${recipe('page')}`;
  const run = await folder.runExample(page, { PETSTORE_API_KEY: undefined });
  vite.kill();
  expect(run).toEqual({ ...fine, printed: '1 orders\n' });
});

test('a proxy, with undici', async () => {
  const tunnels: unknown[] = [];
  const proxy = createServer().on('connect', (request, socket) => {
    tunnels.push(request.url);
    const [host, port] = String(request.url).split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const each of [socket, upstream])
      each.on('error', () => [socket, upstream].forEach((end) => end.destroy()));
  });
  const HTTPS_PROXY = `http://${await listen(proxy)}`;
  expect(await folder.runExample(recipe('proxy'), { HTTPS_PROXY })).toEqual({
    ...fine,
    printed: '1 orders\n',
  });
  expect(tunnels).toEqual([new URL(folder.server.baseUrl).host]);
  proxy.close();
});

test('OpenTelemetry', async () => {
  const setUp = `
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
const send = globalThis.fetch;
globalThis.fetch = (url, init) => (console.log(init.headers.traceparent), send(url, init));
process.on('exit', () => {
  for (const { name, attributes } of exporter.getFinishedSpans())
    console.log(name, attributes['http.response.status_code'], attributes['url.full']);
});
`;
  const { printed, ...rest } = await folder.runExample(setUp + recipe('opentelemetry'));
  expect(rest).toEqual(fine);
  expect(printed).toMatch(
    /^00-[0-9a-f]{32}-[0-9a-f]{16}-01\n1 orders\nGET 200 https:\/\/api\.petstore\.example\/v1\/store\/orders\n$/,
  );
});

test('Workers', async () => {
  const worker = recipe('worker').replace('export default', 'const worker =');
  const call = `
const response = await worker.fetch(new Request('https://worker.example'), { PETSTORE_API_KEY: 'pst_test' });
console.log(await response.text());
`;
  const printed = '[{"id":1,"quantity":2,"shipDate":"2026-11-24T09:00:00.000Z"}]\n';
  expect(await folder.runExample(worker + call)).toEqual({ ...fine, printed });
});

test('there is none that is not run above', () => {
  expect([...recipes.keys()].sort()).toEqual([...run].sort());
});
