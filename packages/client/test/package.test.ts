import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { operations } from '@petstore/contract';
import { buildSync } from 'esbuild';
import { command, installPacked, type Installed } from './installed.ts';

let installed: Installed;
beforeAll(() => {
  installed = installPacked();
}, 60_000);
afterAll(() => installed.remove());

test('npm pack, without a build before, packs what is needed and nothing else', () => {
  const root = path.resolve(__dirname, '../../..');
  const workspace = path.join(installed.folder, 'workspace');
  const unbuilt = path.join(workspace, 'packages/client');
  cpSync(path.join(root, 'packages/client'), unbuilt, {
    recursive: true,
    filter: (source) => !/[\\/](dist|node_modules)$/.test(source),
  });
  for (const name of ['node_modules', 'packages/contract', 'tsconfig.base.json'])
    symlinkSync(path.join(root, name), path.join(workspace, name));
  installed.run('npm', 'pack', unbuilt, '--pack-destination', workspace, '--silent');
  const files = installed.run('tar', '-tzf', path.join(workspace, path.basename(installed.tarball)));
  expect(files.trim().split('\n').sort()).toEqual([
    'package/LICENSE',
    'package/README.md',
    'package/dist/index.cjs',
    'package/dist/index.d.cts',
    'package/dist/index.d.ts',
    'package/dist/index.js',
    'package/dist/stream.cjs',
    'package/dist/stream.d.cts',
    'package/dist/stream.d.ts',
    'package/dist/stream.js',
    'package/package.json',
  ]);
});

test('it depends on nothing at run time', () => {
  const manifest = JSON.parse(
    readFileSync(path.join(installed.folder, 'node_modules/@petstore/client/package.json'), 'utf8'),
  ) as Record<string, unknown>;
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('peerDependencies');
  expect(manifest).toMatchObject({ sideEffects: false, publishConfig: { access: 'public' } });
});

test('publint and are-the-types-wrong find nothing', () => {
  installed.run(command('publint'), installed.tarball, '--strict');
  installed.run(command('attw'), installed.tarball);
}, 60_000);

describe('the core', () => {
  const size = (source: string) => {
    const { outputFiles } = buildSync({
      stdin: { contents: source, resolveDir: installed.folder },
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      write: false,
      logLevel: 'error',
    });
    return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  };

  test.each([
    "import { createPetstore } from '@petstore/client'; globalThis.create = createPetstore;",
    "export * from '@petstore/client';",
  ])('is at most 5.5 kB, minified and compressed, with everything that it is built on: %s', (source) => {
    const bytes = size(source);
    expect(bytes).toBeLessThanOrEqual(5500);
    expect(bytes).toBeGreaterThan(3000);
  });

  test('is nothing at all where it is imported and not used', () => {
    expect(size("import '@petstore/client'; import '@petstore/client/stream';")).toBeLessThan(50);
  });
});

describe('from another folder', () => {
  const use = `
const petstore = createPetstore({ apiKey: 'pst_test', environment: 'local' });
if (Object.keys(petstore).join() !== '${Object.keys(operations).join()}') throw new Error('methods are missing');
if (typeof streamOrders !== 'function') throw new Error('streamOrders is missing');
if (JSON.stringify(petstore) !== '{}') throw new Error('the client shows what is in it');
console.log('fine');
`;

  test('import works', () => {
    installed.write(
      'use.mjs',
      `import { createPetstore } from '@petstore/client';\nimport { streamOrders } from '@petstore/client/stream';${use}`,
    );
    expect(installed.run(process.execPath, 'use.mjs')).toBe('fine\n');
  });

  test('require works', () => {
    installed.write(
      'use.cjs',
      `const { createPetstore } = require('@petstore/client');\nconst { streamOrders } = require('@petstore/client/stream');${use}`,
    );
    expect(installed.run(process.execPath, 'use.cjs')).toBe('fine\n');
  });

  test.each(['mjs', 'cjs'])('both entries throw the same classes (%s)', (format) => {
    const load = (name: string) => (format === 'mjs' ? `await import('${name}')` : `require('${name}')`);
    const file = installed.write(
      `classes.${format}`,
      `(async () => {
  const { createPetstore, ConnectionError } = ${load('@petstore/client')};
  const { streamOrders } = ${load('@petstore/client/stream')};
  const fetch = () => Promise.resolve(new Response(new ReadableStream({ pull: (c) => c.error(new Error('cut')) })));
  const petstore = createPetstore({ apiKey: 'pst_test', fetch });
  await streamOrders(petstore).next().catch((error) => console.log(error instanceof ConnectionError));
})();`,
    );
    expect(installed.run(process.execPath, file)).toBe('true\n');
  });

  const source = `import { ApiError, createPetstore, type Order } from '@petstore/client';
import { streamOrders } from '@petstore/client/stream';

export async function main(): Promise<Order | undefined> {
  const petstore = createPetstore({ apiKey: 'pst_test' });
  try {
    await petstore.cancelOrder({ orderId: 1n });
  } catch (error) {
    if (error instanceof ApiError && error.status === 429) console.log(error.retryAfter.toFixed());
  }
  // @ts-expect-error -- there is no such operation
  await petstore.listPets();
  // @ts-expect-error -- there is no such parameter
  await petstore.cancelOrder({ orderId: 1, force: true });
  for await (const order of streamOrders(petstore)) return order;
  return (await petstore.listOrders())[0];
}
`;

  test.each([
    ['node16, as an ES module', 'use.mts', { module: 'node16', moduleResolution: 'node16' }],
    ['node16, as CommonJS', 'use.cts', { module: 'node16', moduleResolution: 'node16' }],
    ['bundler', 'use.ts', { module: 'esnext', moduleResolution: 'bundler' }],
    [
      'bundler, for older browsers',
      'use.ts',
      {
        module: 'esnext',
        moduleResolution: 'bundler',
        lib: ['es2020', 'dom', 'dom.iterable', 'dom.asynciterable'],
      },
    ],
  ])(
    'the types resolve: %s',
    (_name, file, options) => {
      installed.write(file, source);
      installed.write(
        'tsconfig.json',
        JSON.stringify({
          compilerOptions: {
            target: 'es2022',
            lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
            ...options,
            types: [],
            strict: true,
            exactOptionalPropertyTypes: true,
            noEmit: true,
            // All but what TypeScript brings.
            skipLibCheck: false,
            skipDefaultLibCheck: true,
          },
          files: [file],
        }),
      );
      installed.run(command('tsc'), '-p', '.');
    },
    60_000,
  );
});
