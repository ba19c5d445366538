import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith, pathOf } from '@contract-kit/test-support';
import {
  newFolder,
  originOf,
  shared,
  startPostgres,
  startProcess,
  stopAtEnd,
} from '@contract-kit/test-support/testing';
import { copyWorkspace } from '@petstore/server/testing';
import { storeBookings } from '../created/bookings.ts';
import { create, createRepository, environment, output, type Repository } from '../support/repository.ts';

/* A repository that its owner has edited takes the packages of another version of the kit, and goes back. */

jest.setTimeout(1_200_000);

/** The next version of the kit, in a copy of the workspace. */
const next = copyWorkspace();
const OLD = 'contract-kit is 0.2.0, and 0.1.0 generated the code';
const CREATE_KEY = [
  'keys',
  'create',
  '--name',
  'Ada',
  '--scope',
  'bookings:read',
  'bookings:write',
  '--json',
];
type Deployed = Awaited<ReturnType<typeof deploy>>;

let repository: Repository;
let old: Deployed;
/** Its kit has one more migration. */
let newer: Deployed;
/** Has the migrations of the old version. */
let alike: Deployed;

const textOf = (name: string) => readFileSync(repository.file(name), 'utf8');
/** Only what changed since the last commit, new and removed files too. */
async function changed(...options: string[]) {
  await repository.git('add', '-A');
  return (await repository.git('diff', '--cached', '--no-renames', ...options)).trim().split('\n');
}
const upgrade = () => next.npm('run', 'create', '--', repository.folder, '--upgrade');
const downgrade = () => create(repository.folder, '--upgrade');

/** A deployed version: the folder that `npm run package` makes now. */
async function deploy() {
  const folder = path.join(newFolder(), 'deployed');
  await repository.npm('run', 'package', '--', folder);
  return (env: Readonly<Record<string, string>>) => deployedWith(folder, env);
}

/** A deployed version with the settings of a server. */
function deployedWith(folder: string, env: Readonly<Record<string, string>>) {
  const args = [path.join(folder, 'bin/my-bookings.js')];
  const settings = Object.entries(env).map((setting) => setting.join('='));
  const run = (...command: string[]) =>
    output(folder, 'env', ...settings, process.execPath, ...args, ...command);
  async function serve() {
    const options = { cwd: folder, env: { ...environment, ...env } };
    const started = startProcess(process.execPath, [...args, 'serve', '--port', '0'], options);
    stopAtEnd('service', () => started.kill('SIGTERM'));
    return { origin: await originOf(started), stop: () => started.kill('SIGTERM') };
  }
  /** Serves, books a room at `starts`, and lists all rooms. */
  async function bookAndList(key: string, starts?: string): Promise<string[]> {
    const { origin, stop } = await serve();
    const url = `${origin}/api/v3/bookings`;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    if (starts !== undefined) {
      const body = JSON.stringify({ room: starts.slice(0, 4), starts });
      expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(201);
    }
    const listed = (await (await fetch(url, { headers })).json()) as { room: string }[];
    await stop();
    return listed.map(({ room }) => room);
  }
  return { run, serve, bookAndList };
}

beforeAll(async () => {
  const contract = path.resolve(import.meta.dirname, '../created/bookings.yaml');
  repository = await createRepository(contract, 'my-bookings');
  storeBookings(repository);
  repository.edit('README.md', (text) => `${text}\nOur own words.\n`);
  repository.edit('.github/workflows/ci.yml', (text) =>
    text.replace('timeout-minutes: 30', 'timeout-minutes: 45'),
  );
  repository.edit('apps/server/src/service.ts', (text) =>
    text.replace('The my-bookings service', 'Our bookings'),
  );
  writeFileSync(repository.file('deploy/own.conf'), '# Our own.\n');
  writeFileSync(repository.file('vendor/ours.txt'), 'Our own.\n');
  await repository.commit();
  old = await deploy();

  await next.run('scripts/kit-version.mjs', '0.2.0');
  next.edit(
    'packages/kit/server/src/index.ts',
    (text) => `${text}export { VERSION as kitVersion } from '@contract-kit/core';\n`,
  );
  next.edit(
    'packages/kit/server/templates/deploy/{{name}}.service.tmpl',
    (text) => `# Of the next version.\n${text}`,
  );
  next.edit(
    'packages/kit/cli/templates/generated/packages/mcp/src/main.ts.tmpl',
    (text) => `${text}// Of the next version.\n`,
  );
  for (const engine of ['sqlite', 'postgres']) {
    const migrations = `packages/kit/server/src/database/migrations/${engine}`;
    const number = readdirSync(next.file(migrations)).length + 1;
    const file = next.file(`${migrations}/${`${number}`.padStart(4, '0')}-next.sql`);
    writeFileSync(file, 'CREATE TABLE next_version (id TEXT PRIMARY KEY);\n');
  }
});

test('refuses a folder that has no packages of a checkout, and options, and changes nothing', async () => {
  const refused = (reason: RegExp, ...args: string[]) => expect(create(...args)).rejects.toThrow(reason);
  await refused(/Usage: npm run create -- FOLDER --upgrade/, '--upgrade');
  await refused(/Usage: /, repository.folder, '--upgrade', '--name', 'other');
  await refused(/is not a repository that create made/, newFolder(), '--upgrade');
  const installed = newFolder();
  writeFileSync(path.join(installed, 'service.json'), '{}');
  writeFileSync(path.join(installed, 'package.json'), '{"dependencies":{"@contract-kit/core":"^0.1.0"}}');
  await refused(/has its packages from a registry/, installed, '--upgrade');
  expect(readdirSync(installed).sort()).toEqual(['package.json', 'service.json']);
});

test('has the old packages if the new ones cannot be installed', async () => {
  const dependency = (name: string) => (text: string) =>
    text.replace('"tsx":', `"${name}": "file:none.tgz", "tsx":`);
  repository.edit('package.json', dependency('none'));
  const before = [
    textOf('package.json'),
    textOf('package-lock.json'),
    readdirSync(repository.file('vendor')),
  ];
  await expect(upgrade()).rejects.toThrow(/The old packages are in place again/);
  expect([
    textOf('package.json'),
    textOf('package-lock.json'),
    readdirSync(repository.file('vendor')),
  ]).toEqual(before);
  await repository.git('checkout', '-q', 'package.json');
  expect(await repository.git('status', '--porcelain')).toBe('');
  await repository.npm('install');
});

test('changes only the packages and what is generated, and passes its check', async () => {
  await upgrade();
  const names = await changed('--name-only');
  const generated =
    /^(packages\/(contract\/src\/generated|client\/src)\/|vendor\/contract-kit-[a-z]+-0\.[12]\.0-dev\.)/;
  expect(names.filter((name) => !generated.test(name))).toEqual([
    'deploy/my-bookings.service',
    'package-lock.json',
    'package.json',
    'packages/mcp/src/main.ts',
  ]);
  expect(names.filter((name) => name.startsWith('vendor/'))).toHaveLength(10);
  expect(textOf('vendor/ours.txt')).toBe('Our own.\n');
  // Generated code differs in the version alone.
  const lines = await changed('--unified=0', '--', 'packages/contract', 'packages/client');
  expect(lines.filter((line) => /^[-+](?![-+])/.test(line) && !/0\.[12]\.0/.test(line))).toEqual([]);
  await repository.npm('run', 'check');
  const added = `import('@contract-kit/server').then(({ kitVersion }) => console.log(kitVersion))`;
  expect(await output(repository.folder, process.execPath, '--eval', added)).toBe('0.2.0\n');
  expect(await upgrade()).toContain('It has these packages already.');
});

test('says that another minor version generated the code', async () => {
  await repository.git('checkout', '-q', 'HEAD', '--', 'packages');
  await expect(repository.npm('run', 'generate', '--', '--check')).rejects.toThrow(OLD);
  const args = ['--import', 'tsx', 'apps/server/src/main.ts', 'serve', '--port', '0'];
  const env = { ...environment, DATA_DIR: newFolder() };
  const started = startProcess(process.execPath, args, { cwd: repository.folder, env });
  stopAtEnd('service', () => started.kill('SIGTERM'));
  await originOf(started);
  expect(started.output.stdout).toContain(`${OLD}: run \`npm run generate\``);
  await started.kill('SIGTERM');
  await repository.npm('run', 'generate');
  newer = await deploy();
});

test('goes back: nothing is left of the next version in the repository', async () => {
  await downgrade();
  expect(await changed('--name-only')).toEqual(['']);
  await repository.npm('run', 'check');
  repository.edit('apps/server/src/service.ts', (text) => text.replace('Our bookings', 'Our rooms'));
  alike = await deploy();
});

/** What a server has, and how its operator makes and restores a backup, as docs/operating.md says. */
interface Server {
  readonly env: Readonly<Record<string, string>>;
  readonly backup: () => Promise<unknown>;
  /** Resolves to the settings for the restored data. */
  readonly restore: () => Promise<Readonly<Record<string, string>>>;
}

function itIsRolledBack(serverOf: () => Promise<Server>) {
  test('is deployed on the data of the old version, and rolled back to its backup', async () => {
    const { env, backup, restore } = await serverOf();
    const { key } = JSON.parse(await old(env).run(...CREATE_KEY)) as { key: string };
    expect(await old(env).bookAndList(key, '2031-01-01T09:00:00Z')).toEqual(['2031']);
    await backup();
    expect(await newer(env).bookAndList(key, '2032-01-01T09:00:00Z')).toEqual(['2031', '2032']);
    await expect(old(env).serve()).rejects.toThrow(/is newer than this program/);
    expect(await newer(env).bookAndList(key)).toEqual(['2031', '2032']);
    const restored = await restore();
    expect(await old(restored).bookAndList(key, '2033-01-01T09:00:00Z')).toEqual(['2031', '2033']);
    // A newer version without new migrations needs no backup.
    const all = ['2031', '2033', '2034'];
    expect(await alike(restored).bookAndList(key, '2034-01-01T09:00:00Z')).toEqual(all);
    expect(await old(restored).bookAndList(key)).toEqual(all);
  });
}

describe('on SQLite', () => {
  itIsRolledBack(() => {
    const data = path.join(newFolder(), 'data');
    const file = path.join(newFolder(), 'backup.db');
    const env = { DATA_DIR: data };
    return Promise.resolve({
      env,
      backup: () => old(env).run('backup', file),
      async restore() {
        renameSync(data, `${data}.newer`);
        await old(env).run('restore', file, '--yes');
        return env;
      },
    });
  });
});

describeWith(['PostgreSQL'], 'on PostgreSQL', () => {
  const postgres = shared(startPostgres);
  itIsRolledBack(async () => {
    const url = await postgres.createDatabase();
    const env = { DATABASE_URL: url, DATA_DIR: newFolder() };
    const file = path.join(newFolder(), 'backup.dump');
    const program = (name: string) => path.join(path.dirname(pathOf('PostgreSQL')), name);
    return {
      env,
      backup: () => output('.', program('pg_dump'), '--format=custom', `--file=${file}`, url),
      async restore() {
        const restored = await postgres.createDatabase();
        await output('.', program('pg_restore'), '--exit-on-error', `--dbname=${restored}`, file);
        return { ...env, DATABASE_URL: restored };
      },
    };
  });
});
