import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { compiler, installPacked, type Installed } from './installed.ts';
import { json, refuse, serve, type TestServer } from './server.ts';

/** The TypeScript examples in a page of the documentation. */
export function examplesIn(page: string): string[] {
  const markdown = readFileSync(path.resolve(__dirname, '..', page), 'utf8');
  return [...markdown.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code);
}

export interface ExampleFolder extends Installed {
  /** What the examples call when they call production. */
  readonly server: TestServer;
  /** Compiles examples; throws with what is wrong in them. */
  compile(examples: readonly string[]): void;
  /** Runs an example, and gives what it prints. */
  runExample(
    code: string,
    env?: Record<string, string | undefined>,
  ): Promise<{ printed: string; complaints: string; status: number }>;
  close(): Promise<void>;
}

const root = path.resolve(__dirname, '../../..');

/** A folder with the packed client, whose examples call `server`. */
export async function exampleFolder(): Promise<ExampleFolder> {
  const installed = installPacked();
  const server = await serve((request, response) => {
    if (!request.headers.authorization) return refuse(response, 401, 'unauthorized');
    if (request.method === 'GET')
      return json(response, 200, [{ id: 1, quantity: 2, shipDate: '2026-11-24T09:00:00.000Z' }]);
    if (request.url === '/v1/store/orders/1') return response.writeHead(204).end();
    refuse(response, 409, 'order_already_shipped', { 'x-ratelimit-remaining': 12 });
  });
  // The examples call production, as users do: this sends them here.
  const reroute = installed.write(
    'reroute.mjs',
    `const send = globalThis.fetch;
globalThis.fetch = (url, init) => {
  if (!url.startsWith('https://api.petstore.example/v1/')) throw new Error('not production: ' + url);
  return send(url.replace('https://api.petstore.example/v1', ${JSON.stringify(server.baseUrl)}), init);
};
`,
  );
  return {
    ...installed,
    server,
    compile(examples) {
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
            typeRoots: [path.join(root, 'node_modules/@types')],
            types: ['node'],
          },
          files,
        }),
      );
      installed.run(process.execPath, compiler, '-p', '.');
    },
    async runExample(code, env = {}) {
      const file = installed.write('example.mjs', transformSync(code, { loader: 'ts', format: 'esm' }).code);
      const child = spawn(process.execPath, ['--import', pathToFileURL(reroute).href, file], {
        cwd: installed.folder,
        env: { ...process.env, PETSTORE_API_KEY: 'pst_test', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [printed, complaints, [status]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit') as Promise<[number]>,
      ]);
      return { printed, complaints, status };
    },
    close() {
      installed.remove();
      return server.close();
    },
  };
}
