import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { transformSync } from '@swc/core';
import { operations } from '@petstore/contract';
import { buildSync } from 'esbuild';
import manifest from '../package.json' with { type: 'json' };
import { command, compiler, installPacked, type Installed } from './installed.ts';

let installed: Installed;
beforeAll(() => {
  installed = installPacked();
});
afterAll(() => installed.remove());

test('npm pack packs what is needed and nothing else, after a build', () => {
  const names = installed.run('tar', '-tzf', installed.tarball).trim().split('\n').sort();
  // What the source maps lead to.
  expect(names).toContain('package/src/attempt.ts');
  expect(names.filter((name) => !name.startsWith('package/src/'))).toEqual([
    'package/CHANGELOG.md',
    'package/LICENSE',
    'package/README.md',
    ...['index', 'stream', 'testing'].flatMap((entry) =>
      ['cjs', 'cjs.map', 'd.cts', 'd.ts', 'js', 'js.map'].map((kind) => `package/dist/${entry}.${kind}`),
    ),
    'package/package.json',
  ]);
  expect(manifest.scripts.prepack).toBe('npm run build');
});

test('it depends on nothing at run time', () => {
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('peerDependencies');
  expect(manifest).toMatchObject({ sideEffects: false, publishConfig: { access: 'public' } });
});

test('publint and are-the-types-wrong find nothing', () => {
  installed.run(command('publint'), installed.tarball, '--strict');
  installed.run(command('attw'), installed.tarball);
});

describe('its size, minified and compressed', () => {
  const size = (source: string, external: string[] = []) => {
    const { outputFiles } = buildSync({
      stdin: { contents: source, resolveDir: installed.folder },
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      external,
      write: false,
      logLevel: 'error',
    });
    return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  };

  const core = '@petstore/client';
  const readme = readFileSync(path.resolve(__dirname, '../README.md'), 'utf8');
  const stated = [...readme.matchAll(/^\| `(@petstore\/client.*?)` +\| +([\d.]+) \|$/gm)].map(
    ([, entry = '', kilobytes]) => [entry, Number(kilobytes) * 1000] as const,
  );

  test('the README has that of every entry', () => {
    const entries = Object.keys(manifest.exports).filter((each) => each !== './package.json');
    expect(stated.map(([entry]) => entry)).toEqual(entries.map((each) => core + each.slice(1)));
  });

  test.each(stated)('%s has at most %d bytes', (entry, bytes) => {
    // The others import the first one. By their files, because whoever leaves a package out leaves its entries out.
    const file = `./node_modules/@petstore/client/dist${entry.slice(core.length)}.js`;
    const measured =
      entry === core ? size(`export * from '${core}';`) : size(`export * from '${file}';`, [core]);
    expect(measured).toBeLessThanOrEqual(bytes);
  });

  test('it is nothing at all where it is imported and not used', () => {
    expect(size(stated.map(([entry]) => `import '${entry}';`).join(' '))).toBeLessThan(50);
  });
});

describe('from another folder', () => {
  const use = `
const petstore = createPetstore({ apiKey: 'pst_test', environment: 'local' });
if (Object.keys(petstore).join() !== '${Object.keys(operations).join()}') throw new Error('methods are missing');
if (typeof streamOrders !== 'function') throw new Error('streamOrders is missing');
if (typeof createFakePetstore().fetch !== 'function') throw new Error('createFakePetstore is missing');
if (JSON.stringify(petstore) !== '{}') throw new Error('the client shows what is in it');
const fetch = () => Promise.resolve(new Response(new ReadableStream({ pull: (c) => c.error(new Error('cut')) })));
const cut = createPetstore({ apiKey: 'pst_test', fetch });
streamOrders(cut).next().catch((error) => console.log(error instanceof ConnectionError));
`;

  test.each([
    ['mjs', "import { $ } from '$';"],
    ['cjs', "const { $ } = require('$');"],
  ])('import and require work, and all entries throw the same classes (%s)', (format, load) => {
    const names = {
      createPetstore: '',
      ConnectionError: '',
      streamOrders: '/stream',
      createFakePetstore: '/testing',
    };
    const lines = Object.entries(names).map(([name, entry]) =>
      load.replace('$', name).replace('$', `@petstore/client${entry}`),
    );
    installed.write(`use.${format}`, lines.join('\n') + use);
    expect(installed.run(process.execPath, `use.${format}`)).toBe('true\n');
  });

  test('it survives a compiler that assigns the fields of classes, as that of Next.js does', () => {
    const built = readFileSync(
      path.join(installed.folder, 'node_modules/@petstore/client/dist/index.js'),
      'utf8',
    );
    const assumptions = { setPublicClassFields: true };
    const { code } = transformSync(built, { isModule: true, jsc: { target: 'es2022', assumptions } });
    const use = `console.log(new RateLimitError('', { code: '' }).name);`;
    expect(installed.run(process.execPath, installed.write('assigned.mjs', code + use))).toBe(
      'RateLimitError\n',
    );
  });

  const source = `import { ApiError, createPetstore, type Order } from '@petstore/client';
import { streamOrders } from '@petstore/client/stream';
import { createFakePetstore } from '@petstore/client/testing';

export async function main(): Promise<Order | undefined> {
  const { fetch } = createFakePetstore({ answers: { cancelOrder: 'order_already_shipped' }, plan: 'free' });
  const petstore = createPetstore({ apiKey: 'pst_test', fetch });
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
    [['use.mts', 'use.cts'], { module: 'node16', moduleResolution: 'node16' }],
    // What compiles with what older browsers have does so with more.
    [
      ['use.ts'],
      {
        module: 'esnext',
        moduleResolution: 'bundler',
        lib: ['es2020', 'dom', 'dom.iterable', 'dom.asynciterable'],
      },
    ],
  ])('the types resolve: %j with %j', (files, options) => {
    for (const file of files) installed.write(file, source);
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
        files,
      }),
    );
    installed.run(process.execPath, compiler, '-p', '.');
  });
});
