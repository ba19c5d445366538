import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder, originOf, startProcess, stopAtEnd } from '@contract-kit/test-support/testing';
import { environment, output } from '../support/repository.ts';
import { startRegistry, type Registry } from '../support/registry.ts';

/* `scripts/publish-kit.mjs`, and what users make from the registry, with a registry on loopback. */

jest.setTimeout(900_000);

const NAMES = ['core', 'client', 'mcp', 'server', 'testing', 'cli', 'create'];
const ids = (version: string) =>
  NAMES.map((name) => `${name === 'create' ? 'create-contract-kit' : `@contract-kit/${name}`}@${version}`);
const packed = newFolder();
let registry: Registry;
let version: string;

const publish = (folder: string) => registry.script('publish-kit.mjs', folder);

beforeAll(async () => {
  registry = await startRegistry();
  await registry.script('pack-kit.mjs', packed, '--repository', 'git+https://example.com/kit.git');
  version =
    /-core-(.*)\.tgz$/.exec(readdirSync(packed).find((name) => name.includes('-core-')) ?? '')?.[1] ?? '';
});

test('publishes nothing unless the folder has the six packages of one version', async () => {
  const folder = newFolder();
  await expect(publish('')).rejects.toThrow(/^.*\nUsage/s);
  await expect(publish(folder)).rejects.toThrow(/must have @contract-kit\/core/);
  for (const file of readdirSync(packed).slice(1)) cpSync(path.join(packed, file), path.join(folder, file));
  await expect(publish(folder)).rejects.toThrow(/must have @contract-kit\/core/);
  expect(registry.published).toEqual([]);
});

test('publishes each package after those that it depends on, and continues after a failure', async () => {
  registry.fail('@contract-kit/mcp');
  await expect(publish(packed)).rejects.toThrow(
    /@contract-kit\/mcp@.* could not be published\. Run this again/,
  );
  expect(registry.published).toEqual(ids(version).slice(0, 2));
  registry.fail(undefined);
  expect(await publish(packed)).toContain(`@contract-kit/core@${version} is published already\n`);
  expect(registry.published).toEqual(ids(version));
});

test('publishes nothing that the registry has', async () => {
  const skipped = ids(version).map((id) => `${id} is published already\n`);
  expect(await publish(packed)).toBe(skipped.join(''));
  expect(registry.published).toEqual(ids(version));
});

test('publishes nothing if the registry has other content for a version', async () => {
  const other = newFolder();
  cpSync(packed, other, { recursive: true });
  const unpacked = newFolder();
  const [file = ''] = readdirSync(other).filter((name) => name.startsWith('create-'));
  await output(unpacked, 'tar', '-xzf', path.join(other, file));
  writeFileSync(path.join(unpacked, 'package/README.md'), 'Other.');
  await output(path.join(unpacked, 'package'), 'npm', 'pack', '--pack-destination', other);
  await expect(publish(other)).rejects.toThrow(`other content for create-contract-kit@${version}`);
  expect(registry.published).toEqual(ids(version));
});

test('published packages name their repository and folder', async () => {
  const shown = await registry.npm(packed, 'view', '@contract-kit/server', 'repository', '--json');
  expect(JSON.parse(shown)).toEqual({
    type: 'git',
    url: 'git+https://example.com/kit.git',
    directory: 'packages/kit/server',
  });
});

test('npm create makes a repository from the registry, which npm installs, tests and starts', async () => {
  const parent = newFolder();
  const contract = path.resolve(import.meta.dirname, '../created/bookings.yaml');
  const args = ['create', 'contract-kit@latest', 'my-bookings', '--', '--contract', contract];
  expect(await registry.npm(parent, ...args)).toMatch(/\n {2}cd my-bookings\n {2}npm start /);
  const folder = path.join(parent, 'my-bookings');
  expect(readdirSync(parent)).toEqual(['my-bookings']);
  expect(existsSync(path.join(folder, 'vendor'))).toBe(false);
  const manifest = readFileSync(path.join(folder, 'package.json'), 'utf8');
  expect(manifest).toContain(`"@contract-kit/server": "^${version}"`);

  expect(readFileSync(path.join(folder, 'AGENTS.md'), 'utf8')).toContain('\nnpm install @contract-kit/');

  await registry.npm(folder, 'ci');
  await registry.npm(folder, 'test');
  const service = startProcess('npm', ['start', '--', '--port', '0'], { cwd: folder, env: environment });
  stopAtEnd('service', () => service.kill('SIGTERM'));
  const origin = await originOf(service);
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  const [key = ''] = /\bmybook_\w{20,}/.exec(service.output.stdout) ?? [];
  const headers = { authorization: `Bearer ${key}` };
  expect((await fetch(`${origin}/api/v3/bookings`, { headers })).status).toBe(200);
  await service.kill('SIGTERM');
});
