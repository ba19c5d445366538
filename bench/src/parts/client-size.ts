import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Bench } from '../bench.ts';
import { runCommand } from '../command.ts';
import type { PartResult } from '../result.ts';
import type { Part } from './part.ts';

const MOST = 5_000;
const OURS = '@petstore/client';
const root = path.resolve(import.meta.dirname, '../../../..');
const contract = path.join(root, 'openapi.yaml');

/** What the client adds to a page. */
export const clientSize: Part = {
  name: 'client-size',
  about: 'size of the client against other clients, minified and compressed',
  async run(bench: Bench): Promise<PartResult> {
    const title = 'Client: size';
    bench.progress.step(`${title}: generating the others`);
    const redocly = path.join(bench.folder, 'redocly/client.ts');
    const heyApi = path.join(bench.folder, 'hey-api');
    mkdirSync(path.dirname(redocly));
    await runCommand(bench, 'redocly', ['generate-client', contract, '--output', redocly]);
    await runCommand(bench, 'openapi-ts', [
      '--input',
      contract,
      '--output',
      heyApi,
      '--client',
      '@hey-api/client-fetch',
      '--no-log-file',
      '--silent',
    ]);
    const sources = {
      [OURS]: `import { createPetstore } from '@petstore/client'; globalThis.client = createPetstore;`,
      'openapi-fetch, without the operations': `import createClient from 'openapi-fetch'; globalThis.client = createClient;`,
      'ky, without the operations': `import ky from 'ky'; globalThis.client = ky;`,
      'axios, without the operations': `import axios from 'axios'; globalThis.client = axios;`,
      "Redocly's generated client": `import { client, listOrders, cancelOrder, getPet } from ${JSON.stringify(redocly)}; globalThis.client = { client, listOrders, cancelOrder, getPet };`,
      "hey-api's generated client": `import { client } from ${JSON.stringify(`${heyApi}/client.gen.ts`)}; import { listOrders, cancelOrder, getPet } from ${JSON.stringify(`${heyApi}/sdk.gen.ts`)}; globalThis.client = { client, listOrders, cancelOrder, getPet };`,
    };
    const sizes: [string, number, number][] = [];
    for (const [name, source] of Object.entries(sources)) {
      const bundle = await bundleOf(source);
      sizes.push([name, bundle.length, gzipSync(bundle, { level: 9 }).length]);
    }
    const ours = sizes.find(([name]) => name === OURS)?.[2] ?? Number.NaN;
    const bytes = (value: number) => value.toLocaleString('en-US');
    return {
      title,
      tables: [
        {
          head: ['', 'bytes, minified and compressed', 'bytes, minified'],
          rows: sizes.map(([name, minified, compressed]) => [name, bytes(compressed), bytes(minified)]),
        },
      ],
      notes: [
        'Bundled by esbuild for browsers, compressed by gzip -9, with everything that each is built on.',
      ],
      claims: [
        { subject: 'client: size', target: '≤ 5.0 kB', measured: `${bytes(ours)} bytes`, met: ours <= MOST },
      ],
    };
  },
};

async function bundleOf(source: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: path.join(root, 'apps/bench'), loader: 'ts' },
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
