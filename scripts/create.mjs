// `npm run create -- FOLDER --contract FILE`: `contract-kit create` with the packages of this checkout, packed into
// FOLDER/vendor. `npm run create -- FOLDER --upgrade` replaces those of a repository by these.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packKit } from './pack-kit.mjs';

const command = path.resolve(import.meta.dirname, '../packages/kit/cli/bin/contract-kit.js');
const args = process.argv.slice(2);
/** A package of the kit in the manifest of a repository. */
const VENDORED = /"file:vendor\/(contract-kit-([a-z]+)-[^"/]+\.tgz)"/g;
const GENERATE = ['node_modules/@contract-kit/cli/bin/contract-kit.js', 'generate'];

/** @type {(file: string, args: string[], cwd?: string) => boolean} */
const succeeds = (file, args, cwd) => spawnSync(file, args, { cwd, stdio: 'inherit' }).status === 0;

/**
 * @param {string} message
 * @param {number} [status]
 * @returns {never}
 */
function fail(message, status = 1) {
  console.error(message);
  process.exit(status);
}

/** The repository to upgrade, or undefined if one is to be made. */
function upgradedFolder() {
  if (!args.includes('--upgrade')) return undefined;
  const [folder, ...others] = args.filter((arg) => arg !== '--upgrade');
  if (folder === undefined || folder.startsWith('-') || others.length > 0)
    fail('Usage: npm run create -- FOLDER --upgrade, without other options', 2);
  const root = path.resolve(folder);
  if (!existsSync(path.join(root, 'service.json'))) fail(`${folder} is not a repository that create made.`);
  const manifest = readFileSync(path.join(root, 'package.json'), 'utf8');
  if (manifest.search(VENDORED) === -1)
    fail(`${folder} has its packages from a registry: upgrade it with npm install, as its AGENTS.md says.`);
  return root;
}

/**
 * Takes the packages in `packed` into the repository at `root`. If that fails or is interrupted, it has the old ones.
 *
 * @param {string} root
 * @param {Record<string, string>} packed
 */
function upgrade(root, packed) {
  const own = ['package.json', 'package-lock.json'].map((name) => path.join(root, name)).filter(existsSync);
  const before = own.map((file) => readFileSync(file));
  const [manifest = ''] = own;
  const text = readFileSync(manifest, 'utf8');
  const inVendor = (/** @type {string} */ file) => path.join(root, 'vendor', path.basename(file));
  const names = [...text.matchAll(VENDORED)].map(([, old = '', name = '']) => ({
    old: inVendor(old),
    next:
      packed[name] ?? fail(`The kit has no package ${name} any more. CHANGELOG.md says what replaces it.`),
  }));
  const added = names.map(({ next }) => inVendor(next)).filter((file) => !existsSync(file));
  function restore() {
    for (const file of added) rmSync(file, { force: true });
    for (const [index, file] of own.entries()) writeFileSync(file, before[index] ?? '');
  }
  process.once('exit', restore);
  for (const { next } of names) cpSync(next, inVendor(next));
  const after = text.replaceAll(
    VENDORED,
    (_all, _old, name) => `"file:vendor/${path.basename(packed[name] ?? '')}"`,
  );
  writeFileSync(manifest, after);
  if (!succeeds('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], root))
    fail('npm install failed. The old packages are in place again: run npm install.');
  process.off('exit', restore);
  for (const { old, next } of names) if (old !== inVendor(next)) rmSync(old, { force: true });
  console.log(after === text ? 'It has these packages already.' : 'The packages are replaced.');
}

if (args.includes('--help')) {
  succeeds(process.execPath, [command, 'create', '--help']);
  console.log(
    '\nIn this checkout, --packages is set. FOLDER --upgrade replaces the packages of a repository.',
  );
  process.exit(0);
}
const root = upgradedFolder();
const packages = mkdtempSync(path.join(tmpdir(), 'packed-'));
process.once('exit', () => rmSync(packages, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
const packed = await packKit(packages, { isDevelopment: true });
if (root === undefined) {
  const { status } = spawnSync(process.execPath, [command, 'create', ...args, '--packages', packages], {
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}
upgrade(root, packed);
if (!succeeds(process.execPath, GENERATE, root))
  fail('The code could not be generated. CHANGELOG.md of the packages says what to change by hand.');
