import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { command, describeWith } from '@contract-kit/test-support';
import { newFolder, shared, startPostgres } from '@contract-kit/test-support/testing';
import ts from 'typescript';

/* The packages of the kit as their users get them: packed, and installed into an empty project. */

const root = path.resolve(__dirname, '../../../..');
const NAMES = ['core', 'client', 'mcp', 'server', 'testing', 'cli', 'create'];
const nameOf = (name: string) => (name === 'create' ? 'create-contract-kit' : `@contract-kit/${name}`);
const PACK = `import { packKit } from './scripts/pack-kit.mjs';
console.log(JSON.stringify(await packKit(process.argv[1])));`;

/** Not what npm and Turbo set for the tests. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm|turbo|jest|node_options)/i.test(name)),
);

function run(folder: string, file: string, ...args: string[]): string {
  try {
    return execFileSync(file, args, {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${file} ${args.join(' ')}\n${stdout}\n${stderr}`, { cause: error });
  }
}

const folder = newFolder();
const write = (name: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
};
const tarballs = new Map<string, string>();

beforeAll(() => {
  const packed = JSON.parse(
    run(root, process.execPath, '--input-type=module', '--eval', PACK, folder),
  ) as Record<string, string>;
  for (const [name, file] of Object.entries(packed)) tarballs.set(name, file);
  const own = Object.fromEntries([...tarballs].map(([name, file]) => [nameOf(name), `file:${file}`]));
  // The peers of the server, and the types of Node.js.
  const others = { express: '^5.3.0', '@types/express': '^5.0.6', '@types/node': '^20.19.43' };
  const manifest = { name: 'empty', private: true, type: 'module' };
  write('package.json', JSON.stringify({ ...manifest, dependencies: { ...own, ...others }, overrides: own }));
  run(folder, 'npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts');
});

test.each(NAMES)('publint and are-the-types-wrong find nothing in %s', (name) => {
  const file = tarballs.get(name) ?? '';
  run(root, command('publint'), file, '--strict');
  // The commands have no types.
  if (name !== 'cli' && name !== 'create') run(root, command('attw'), file, '--profile', 'esm-only');
});

test('a stack trace names files which exist', () => {
  write(
    'trace.mjs',
    `import { parseContract } from '@contract-kit/core/openapi';
     try { parseContract('a: ['); } catch (error) { console.log(error.stack); }`,
  );
  // tsx, which runs the tests of a service, turns source maps on.
  const trace = run(folder, process.execPath, '--enable-source-maps', 'trace.mjs');
  const files = [...trace.matchAll(/(?<=[( ]|file:\/\/)(\/[^:()]+):\d+:\d+/g)].map(([, file = '']) => file);
  expect(files).toContainEqual(expect.stringContaining('/@contract-kit/core/'));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test('the guide in the command has the pages and the example that it links to', () => {
  const guide = path.join(folder, 'node_modules/@contract-kit/cli/guide');
  const links = [...readFileSync(path.join(guide, 'README.md'), 'utf8').matchAll(/\]\(([^):]+)\)/g)];
  const files = links.map(([, link = '']) => path.join(guide, link));
  expect(files).toContainEqual(expect.stringContaining('examples/invoicing'));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test.each(NAMES)('%s has no script that npm runs, and no path that leaves it', (name) => {
  const installed = path.join(folder, 'node_modules', nameOf(name));
  const { scripts = {}, dependencies = {} } = JSON.parse(
    readFileSync(path.join(installed, 'package.json'), 'utf8'),
  ) as { scripts?: object; dependencies?: Record<string, string> };
  for (const hook of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(scripts).not.toHaveProperty(hook);
  for (const [dependency, version] of Object.entries(dependencies))
    if (dependency.startsWith('@contract-kit/')) expect(version).toMatch(/^\d+\.\d+\.\d+/);
  const files = readdirSync(installed, { recursive: true, withFileTypes: true });
  for (const entry of files.filter((entry) => entry.isFile() && /\.(js|d\.ts)$/.test(entry.name))) {
    const file = path.join(entry.parentPath, entry.name);
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from|import\() ?['"](\.[^'"]*)['"]/g,
    ))
      expect(path.resolve(path.dirname(file), specifier)).toContain(`${installed}/`);
  }
});

/** The declarations of every entry, by the specifier that users write. */
const entries = () =>
  ['core', 'client', 'mcp', 'server', 'testing'].flatMap((name) => {
    const installed = path.join(folder, 'node_modules/@contract-kit', name);
    const { exports } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as {
      exports: Record<string, string>;
    };
    return Object.entries(exports)
      .filter(([, file]) => file.endsWith('.js'))
      .map(([entry, file]) => ({
        specifier: path.posix.join(`@contract-kit/${name}`, entry),
        types: path.join(installed, file.replace(/\.js$/, '.d.ts')),
      }));
  });

/** The exports whose type is `any`. */
function untypedExports(): string[] {
  const files = entries();
  const program = ts.createProgram(
    files.map(({ types }) => types),
    {
      ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, strict: true },
      ...{ types: ['node'], typeRoots: [path.join(folder, 'node_modules/@types')] },
    },
  );
  const checker = program.getTypeChecker();
  return files.flatMap(({ specifier, types }) => {
    const source = program.getSourceFile(types);
    const module = source && checker.getSymbolAtLocation(source);
    return (module ? checker.getExportsOfModule(module) : []).flatMap((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const type =
        target.flags & ts.SymbolFlags.Value
          ? checker.getTypeOfSymbol(target)
          : checker.getDeclaredTypeOfSymbol(target);
      return type.flags & ts.TypeFlags.Any ? [`${symbol.name} of ${specifier}`] : [];
    });
  });
}

test('the types hold without skipLibCheck: each mistake is an error, and nothing has become any', () => {
  // The one name that untyped data goes by.
  expect(untypedExports()).toEqual(['Json of @contract-kit/core/openapi']);
  const mistakes = readFileSync(path.join(root, 'packages/kit/server/test/types/define-service.ts'), 'utf8');
  write('mistakes.ts', mistakes.replace("'../../src/index.ts'", "'@contract-kit/server'"));
  cpSync(path.join(root, 'packages/contract/src'), path.join(folder, 'contract'), { recursive: true });
  const handlers = 'apps/server/test/types/handlers.ts';
  for (const file of [handlers, 'apps/server/src/orders/order-row.ts'])
    write(file, readFileSync(path.join(root, file), 'utf8'));
  write(
    'all.ts',
    entries()
      .map(({ specifier }, index) => `import * as a${index} from '${specifier}';\nvoid a${index};`)
      .join('\n'),
  );
  const compilerOptions = {
    ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], module: 'nodenext', types: ['node'] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ noEmit: true, allowImportingTsExtensions: true, skipLibCheck: false },
    paths: { '@petstore/contract': ['./contract/index.ts'] },
  };
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['mistakes.ts', handlers, 'all.ts'] }));
  run(folder, process.execPath, path.join(root, 'scripts/tsc.mjs'), '-p', '.');
});

const SUITE = `import { readFileSync } from 'node:fs';
import { contractOf, parseContract } from '@contract-kit/core/openapi';
import { readModel } from '@contract-kit/core/model';
import { defineService, notYet } from '@contract-kit/server';
import { describeService, startTestService } from '@contract-kit/testing';

const names = { name: 'orders', keyPrefix: 'ord_', databaseFile: 'orders.db' };
const contract = contractOf(parseContract(readFileSync('openapi.yaml', 'utf8')), names);
const handlers = () => Object.fromEntries(readModel(contract.document).operations.map(({ id }) => [id, notYet]));
const service = defineService(contract, { all: { open: () => ({}), handlers } }, { version: '1.0.0', description: 'Orders.' });

describeService(service);

const { test = (await import('node:test')).test } = globalThis;
test('a service starts on the embedded database, and on PostgreSQL', async () => {
  for (const env of [{}, { DATABASE_URL: process.env.TEST_DATABASE }]) {
    const { request, unlimitedKey, stop } = await startTestService(service, { env });
    const { status } = await request('/v1/store/orders', { key: await unlimitedKey() });
    await stop();
    if (status !== 501) throw new Error('the status is ' + status);
  }
});
`;

describeWith(['PostgreSQL'], 'the tests of any service', () => {
  const postgres = shared(startPostgres);

  test.each([
    ['node:test', ['--test', 'service.test.js']],
    [
      'Jest with ES modules',
      ['--experimental-vm-modules', path.join(root, 'node_modules/jest/bin/jest.js'), '--rootDir', '.'],
    ],
  ])('run under %s', async (_, args) => {
    write('service.test.js', SUITE);
    write(
      'jest.config.json',
      JSON.stringify({ transform: {}, testMatch: ['<rootDir>/service.test.js'], testTimeout: 120_000 }),
    );
    write('openapi.yaml', readFileSync(path.join(root, 'openapi.released.yaml'), 'utf8'));
    const own = { ...env, TEST_DATABASE: await postgres.createDatabase() };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      env: own,
      encoding: 'utf8',
    });
    expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
    expect(stdout + stderr).toMatch(/listOrders satisfies the contract/);
  });
});
