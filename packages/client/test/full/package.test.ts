import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { transformSync } from '@swc/core';
import { operationIds } from '@petstore/contract';
import { buildSync } from 'esbuild';
import manifest from '../../package.json' with { type: 'json' };
import { command, installPacked, type Installed } from '@contract-kit/test-support';

let installed: Installed;
beforeAll(() => {
  installed = installPacked('packages/client');
});
afterAll(() => installed.remove());

const read = (file: string) =>
  readFileSync(path.join(installed.folder, 'node_modules/@petstore/client', file), 'utf8');

test('npm pack packs the builds, the README, the licences and the changelog', () => {
  const names = installed.run('tar', '-tzf', installed.tarball).trim().split('\n').sort();
  // The file of shared types has a digest of its content in its name.
  expect(names.filter((name) => !name.endsWith('.d.cts'))).toEqual(
    [
      'package/CHANGELOG.md',
      'package/LICENSE',
      'package/README.md',
      ...['fetch', 'index', 'stream', 'testing'].flatMap((entry) =>
        ['cjs', 'cjs.map', 'd.ts', 'js', 'js.map'].map((kind) => `package/dist/${entry}.${kind}`),
      ),
      'package/dist/index.production.js',
      'package/dist/index.production.js.map',
      'package/package.json',
    ].sort(),
  );
  for (const bundled of ['openapi-fetch', '@streamparser/json']) expect(read('LICENSE')).toContain(bundled);
  expect(manifest).toMatchObject({ sideEffects: false });
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('peerDependencies');
});

test('source maps include their sources, and the types are packed once', () => {
  const map = JSON.parse(read('dist/index.js.map')) as { sources: string[]; sourcesContent: string[] };
  const source = map.sourcesContent[map.sources.findIndex((name) => name.endsWith('/call.ts'))];
  expect(source).toContain('export async function perform');
  expect(read('dist/index.d.ts')).toBe("export * from './index.cjs';\n");
});

test('publint and are-the-types-wrong find nothing', () => {
  installed.run(command('publint'), installed.tarball, '--strict');
  installed.run(command('attw'), installed.tarball, '--profile', 'node16');
});

describe('its size, minified and compressed', () => {
  function sizeOf(source: string, resolveDir = installed.folder): number {
    const { outputFiles } = buildSync({
      stdin: { contents: source, resolveDir },
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      write: false,
      logLevel: 'error',
    });
    return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  }

  // Bundles the sources without a contract, whose size grows with its operations.
  test.each([
    ['createFetch', 4.5, `export { createFetch } from '@contract-kit/client';`],
    [
      'createPetstore',
      8.5,
      `import { createClient } from '@contract-kit/client';
       export const call = (contract, options) => createClient(contract, options).listOrders();`,
    ],
  ])('%s alone, for any contract, has at most %d kB', (_name, kilobytes, source) => {
    expect(sizeOf(source, __dirname)).toBeLessThanOrEqual(kilobytes * 1000);
  });

  test('createFetch does not bundle the operations, so it does not grow with them', () => {
    expect(sizeOf(`export { createFetch } from '@petstore/client';`)).toBeLessThan(4700);
  });

  test('an unused import adds nothing', () => {
    const entries = ['', '/fetch', '/stream', '/testing'];
    expect(sizeOf(entries.map((entry) => `import '@petstore/client${entry}';`).join(' '))).toBeLessThan(50);
  });
});

test('a page gets the production build, which also rejects unsafe options', () => {
  const contents = `
import { createPetstore } from '@petstore/client';
const apiKey = 'pst_secret';
const web = ['http://api.example/v1', 'ftp://localhost/v1', 'https://me:pst_secret@api.example/v1', 'https://api.example?key=1'];
const refused = [{ apiKey: 'pst_1\\n' }, { apiKey, environment: 'moon' }, ...web.map((baseUrl) => ({ apiKey, baseUrl }))];
for (const options of refused)
  try {
    console.log('takes', createPetstore(options), options);
  } catch (error) {
    if (!(error instanceof TypeError) || error.message.includes('pst_')) console.log(error);
  }
const lines = [];
const logger = { debug: (line) => lines.push(line) };
let count = 0;
const fetch = async () => {
  if (count++ === 0) throw new TypeError('fetch failed');
  return Response.json([], { headers: { 'x-echo': apiKey } });
};
console.log(await createPetstore({ apiKey, fetch, logger }).listOrders(), lines.length, lines.join().includes(apiKey));
`;
  const stdin = { contents, resolveDir: installed.folder };
  const [built] = buildSync({ stdin, bundle: true, format: 'esm', write: false }).outputFiles;
  expect(built?.text).not.toMatch(/Bearer "|console\.warn/);
  const page = installed.write('page.mjs', built?.text ?? '');
  expect(installed.run(process.execPath, page)).toBe('[] 5 false\n');
});

describe('from another folder', () => {
  const use = `
const petstore = createPetstore({ apiKey: 'pst_test', environment: 'local' });
if (Object.keys(petstore).join() !== '${operationIds.join()}') throw new Error('methods are missing');
if (typeof streamOrders !== 'function') throw new Error('streamOrders is missing');
if (typeof createFakePetstore().fetch !== 'function') throw new Error('createFakePetstore is missing');
if (typeof createClient({ apiKey: 'pst_test' }).GET !== 'function') throw new Error('createClient is missing');
if (JSON.stringify(petstore) !== '{}') throw new Error('the client shows what is in it');
const fetch = () => Promise.resolve(new Response(new ReadableStream({ pull: (c) => c.error(new Error('cut')) })));
const cut = createPetstore({ apiKey: 'pst_test', fetch });
streamOrders(cut).next().catch((error) => console.log(error instanceof ConnectionError));
`;

  test.each([
    ['mjs', (names: string, entry: string) => `import { ${names} } from '@petstore/client${entry}';`],
    ['cjs', (names: string, entry: string) => `const { ${names} } = require('@petstore/client${entry}');`],
  ])('import and require work, and all entries throw the same classes (%s)', (format, load) => {
    const lines = [
      load('createPetstore, ConnectionError', ''),
      load('streamOrders', '/stream'),
      load('createFakePetstore', '/testing'),
      load('createClient', '/fetch'),
    ];
    installed.write(`use.${format}`, lines.join('\n') + use);
    expect(installed.run(process.execPath, `use.${format}`)).toBe('true\n');
  });

  test('works after a compiler that assigns class fields, such as that of Next.js', () => {
    const built = read('dist/index.js');
    const assumptions = { setPublicClassFields: true };
    const { code } = transformSync(built, { isModule: true, jsc: { target: 'es2022', assumptions } });
    const use = `console.log(new RateLimitError('', { code: '' }).name);`;
    const assigned = installed.write('assigned.mjs', code + use);
    expect(installed.run(process.execPath, assigned)).toBe('RateLimitError\n');
  });

  const user = readFileSync(path.join(__dirname, '../types.test-d.ts'), 'utf8');
  const userOfFetch = readFileSync(path.join(__dirname, '../user-of-fetch.ts'), 'utf8');

  const nodeTypes = path.resolve(__dirname, '../../../../node_modules/@types');

  test.each([
    [['user.mts', 'user.cts'], { module: 'node16' }],
    [['user.mts'], { module: 'nodenext', lib: ['es2022'], types: ['node'], typeRoots: [nodeTypes] }],
    // The oldest libraries: a program that compiles with them compiles with newer ones.
    [['user.ts'], { module: 'esnext', moduleResolution: 'bundler', lib: ['es2020', 'dom', 'dom.iterable'] }],
  ])('the types resolve: %j with %j', (files, options) => {
    for (const source of [user, userOfFetch])
      installed.compile(Object.fromEntries(files.map((name) => [name, source])), options);
  });
});
