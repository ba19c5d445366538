import { execFile, execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@contract-kit/test-support';
import { newFolder, until } from '@contract-kit/test-support/testing';
import { DatabaseSync } from '@photostructure/sqlite';
import { root } from '../support/workspace.ts';
import { filesIn } from '../support/petstore.ts';

/* The packaged service, as its image and the backup script run it. The kit tests the files of `deploy` themselves. */

const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The user of the service: nobody, or a user without write access if the tests do not run as root. */
const runsAs = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const folder = newFolder();
const program = path.join(folder, 'opt/petstore');
const dataDir = path.join(folder, 'data');
let served: ChildProcess | undefined;

/** The stages of the image that build the service, with folders of ours as those of the image. */
function buildAsTheImage() {
  const [, manifests = '', build = ''] = textOf('deploy/Containerfile')
    .replaceAll('\\\n', '')
    .split(/^FROM .*$/m);
  const ignored = textOf('.dockerignore').split('\n');
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && existsSync(path.join(root, file)))
    .filter((file) => !ignored.includes(file.split('/')[0] ?? ''));
  // Not what npm, Turbo and Jest set for the tests.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm|turbo|jest|test)_/i.test(name)),
  );
  const copied = path.join(folder, 'manifests');
  const runStage = (stage: string, cwd: string) => {
    mkdirSync(cwd);
    for (const [, instruction = '', text = ''] of stage.matchAll(/^(?!#|WORKDIR )([A-Z]+) (.*)$/gm)) {
      const inFolder = text.replace('/opt/petstore', program).replace('/empty', path.join(folder, 'empty'));
      if (text === '. .') for (const file of files) cpSync(path.join(root, file), path.join(cwd, file));
      else if (text === '--from=manifests /src .') cpSync(copied, cwd, { recursive: true });
      else if (instruction !== 'RUN') throw new Error(`unknown: ${instruction} ${text}`);
      else if (inFolder.startsWith('[')) {
        const [command = '', ...args] = JSON.parse(inFolder) as string[];
        execFileSync(command, args, { cwd, env, stdio: 'pipe' });
      } else execFileSync('sh', ['-c', inFolder], { cwd, env, stdio: 'pipe' });
    }
  };
  runStage(manifests, copied);
  runStage(build, path.join(folder, 'src'));
}

beforeAll(() => {
  chmodSync(folder, 0o755);
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o777);
  buildAsTheImage();
  execFileSync('chmod', ['-R', 'a-w', program]);
}, 180_000);

afterAll(() => {
  served?.kill('SIGKILL');
  execFileSync('chmod', ['-R', 'u+w', folder]);
});

/** A command of the image, with its folder replaced by ours. */
function commandOf(instruction: 'ENTRYPOINT' | 'CMD' | 'HEALTHCHECK'): string[] {
  const lines = textOf('deploy/Containerfile').replaceAll('\\\n', '');
  const found = new RegExp(`^${instruction}[^[\\n]*(\\[.*\\])$`, 'm').exec(lines)?.[1] ?? '[]';
  const [node, ...args] = JSON.parse(found.replace('/opt/petstore', program)) as string[];
  return instruction === 'CMD' ? [node ?? ''] : args;
}

test.each([
  ['as a user who may write only its data', ''],
  ['with a separate port for health', 'ADMIN_PORT'],
])('the packaged service runs as the image runs it: %s', async (_, setting) => {
  const port = String(await freePort());
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: port,
    DATA_DIR: dataDir,
    SHUTDOWN_DELAY_SECONDS: '0',
    ...(setting && { [setting]: String(await freePort()) }),
  };
  served = spawn(process.execPath, [...commandOf('ENTRYPOINT'), ...commandOf('CMD')], {
    env,
    ...runsAs,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(served, 'exit');
  const isHealthy = () =>
    spawnSync(process.execPath, commandOf('HEALTHCHECK'), { env, ...runsAs }).status === 0;
  await until(() => isHealthy());
  expect((await fetch(`http://127.0.0.1:${port}/v1/store/orders`)).status).toBe(401);
  expect((await fetch(`http://127.0.0.1:${port}/docs`)).status).toBe(200);
  served.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(isHealthy()).toBe(false);
});

test('the image is healthy also if the contract has its own /healthz, which needs a key', async () => {
  const server = createServer((_, response) => response.writeHead(401).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await promisify(execFile)(process.execPath, commandOf('HEALTHCHECK'), { env: { PORT: String(port) } });
  server.close();
});

test('the package has each needed package once, all licences, and no links', () => {
  const files = readdirSync(program, { withFileTypes: true, recursive: true });
  const names = files.map((entry) => path.relative(program, path.join(entry.parentPath, entry.name)));
  expect(names).toEqual(
    expect.arrayContaining(['express', '@photostructure/sqlite/prebuilds', 'pg'].map(inModules)),
  );
  // Packages in the bundle, or only for builds or development.
  for (const name of ['commander', 'express-openapi-validator', 'node-addon-api', 'typescript', '@types'])
    expect(names).not.toContain(inModules(name));
  expect(names.filter((name) => /node_modules.*\.(map|ts)$|\/tests?$|^dist\/cli$/.test(name))).toEqual([]);
  expect(files.filter((entry) => entry.isSymbolicLink())).toEqual([]);
  const licence = (name: string) => readFileSync(path.join(program, name), 'utf8');
  expect(licence('LICENSE')).toBe(textOf('LICENSE'));
  expect(licence('LICENSES-OF-BUNDLED-PACKAGES')).toMatch(/^commander\n\n\(The MIT License\)/m);
});

const inModules = (name: string) => path.join('node_modules', name);

test('the backup script keeps backups that it has test-restored, and reports the time of the last one', () => {
  const [metrics = '', backups = '', entry = ''] = ['metrics', 'backups', 'entry'].map((name) =>
    path.join(folder, name),
  );
  for (const item of [metrics, backups]) {
    mkdirSync(item);
    chmodSync(item, 0o777);
  }
  for (const name of ['check.a1B2c3', 'unchecked.db.partial-a1B2c3']) mkdirSync(path.join(backups, name));
  // A folder of root, which the user of the service may not enter.
  mkdirSync(entry, { mode: 0o700 });
  const PETSTORE = path.join(program, 'bin/petstore.js');
  const env = { PATH: process.env['PATH'], BACKUP_DIR: backups, METRICS_DIR: metrics, PETSTORE };
  const options = { ...runsAs, cwd: entry, encoding: 'utf8' } as const;
  const backUp = (from: string) =>
    spawnSync(path.join(program, 'backup.sh'), { env: { ...env, DATA_DIR: from }, ...options });
  const noted = () => {
    const text = readFileSync(path.join(metrics, 'petstore_backup.prom'), 'utf8');
    return Number(/^petstore_backup_seconds (\d+)$/m.exec(text)?.[1]);
  };
  writeFileSync(path.join(folder, 'no-store'), '');
  expect(backUp(path.join(folder, 'no-store')).status).not.toBe(0);
  // The alert needs the figure: a missing one would page nobody.
  expect(noted()).toBe(0);
  const result = backUp(dataDir);
  expect([result.status, result.stderr]).toEqual([0, '']);
  const good = [/^petstore-\d{8}T\d{6}Z\.db$/, /^petstore-\d{8}T\d{6}Z\.db\.sha256$/].map(
    (name) => expect.stringMatching(name) as string,
  );
  expect(readdirSync(backups)).toEqual(good);
  const checksum = readdirSync(backups)[1] ?? '';
  expect(execFileSync('sha256sum', ['-c', checksum], { cwd: backups, encoding: 'utf8' })).toContain(': OK');
  expect(noted()).toBeGreaterThan(0);
  expect(readdirSync(metrics)).toEqual(['petstore_backup.prom']);

  // Only the last of the backups that cannot be restored is kept.
  const damaged = path.join(folder, 'damaged');
  cpSync(dataDir, damaged, { recursive: true });
  damage(filesIn(damaged).store);
  execFileSync('chmod', ['-R', 'a+rwX', damaged]);
  for (let times = 0; times < 2; times += 1) {
    const refused = backUp(damaged);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('it is damaged')]);
    expect(readdirSync(backups)).toEqual([...good, 'unchecked.db', 'unchecked.db.sha256']);
  }
  expect(backUp(dataDir).status).toBe(0);
  expect(readdirSync(backups)).toEqual([...good, ...good]);
});

/** Adds a key and changes its digest in the index, which a backup copies without comparing it with the table. */
function damage(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`INSERT INTO api_keys (id, digest, name, plan, per_minute, per_day, created_at)
    VALUES ('key_1', '${'a'.repeat(64)}', 'Ada', 'free', 60, 1000, '2026-11-26T00:00:00.000Z')`);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const { rootpage } = database
    .prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_api_keys_2'`)
    .get() as { rootpage: number };
  database.close();
  const descriptor = openSync(file, 'r+');
  // The last bytes of a page are those of its first cell (https://sqlite.org/fileformat2.html#b_tree_pages).
  writeSync(descriptor, 'zzzz', rootpage * 4_096 - 12);
  closeSync(descriptor);
}
