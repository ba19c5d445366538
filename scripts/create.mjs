// `npm run create -- FOLDER --contract FILE`: `contract-kit create` with the packages of this checkout, packed into
// FOLDER/vendor. `npm run create -- FOLDER --upgrade` replaces those of a repository by these.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packKit } from './pack-kit.mjs';

const command = path.resolve(import.meta.dirname, '../packages/kit/cli/bin/contract-kit.js');
const args = process.argv.slice(2);
const [folder = ''] = args.filter((arg) => !arg.startsWith('--'));

/** @type {(file: string, args: string[], cwd?: string) => boolean} */
const succeeds = (file, args, cwd) => spawnSync(file, args, { cwd, stdio: 'inherit' }).status === 0;

/** @param {string} message */
function fail(message) {
  console.error(message);
  process.exit(1);
}

/**
 * Takes the packages in `packed` into the repository at `root`. If that fails, it has the old ones.
 *
 * @param {string} root
 * @param {Record<string, string>} packed
 */
function upgrade(root, packed) {
  const vendor = path.join(root, 'vendor');
  const manifest = path.join(root, 'package.json');
  if (!existsSync(vendor)) return fail(`${root} has no folder vendor: upgrade it with npm install.`);
  const before = readFileSync(manifest, 'utf8');
  const lock = readFileSync(path.join(root, 'package-lock.json'));
  const old = `${vendor}.old`;
  renameSync(vendor, old);
  const after = before.replaceAll(
    /"file:vendor\/contract-kit-([a-z]+)-[^"]*"/g,
    (_all, name) =>
      `"file:vendor/${path.basename(packed[name] ?? fail(`there is no package ${name}`) ?? '')}"`,
  );
  for (const file of Object.values(packed))
    if (after.includes(path.basename(file))) cpSync(file, path.join(vendor, path.basename(file)));
  writeFileSync(manifest, after);
  const install = ['install', '--no-audit', '--no-fund', '--loglevel=error'];
  if (succeeds('npm', install, root)) {
    rmSync(old, { recursive: true });
    console.log(after === before ? 'It has these packages already.' : 'The packages are replaced.');
    return;
  }
  rmSync(vendor, { recursive: true });
  renameSync(old, vendor);
  writeFileSync(manifest, before);
  writeFileSync(path.join(root, 'package-lock.json'), lock);
  fail('npm install failed. The old packages are in place again: run npm install.');
}

if (args.includes('--help')) {
  succeeds(process.execPath, [command, 'create', '--help']);
  console.log(
    '\nIn this checkout, --packages is set. FOLDER --upgrade replaces the packages of a repository.',
  );
  process.exit(0);
}
const packages = mkdtempSync(path.join(tmpdir(), 'packed-'));
process.once('exit', () => rmSync(packages, { recursive: true, force: true }));
const isUpgrade = args.includes('--upgrade');
if (isUpgrade && !existsSync(path.join(folder, 'service.json')))
  fail(`${folder || 'No folder was named, which'} is not a repository that create made.`);
const packed = await packKit(packages, { isDevelopment: true });
if (!isUpgrade) {
  const { status } = spawnSync(process.execPath, [command, 'create', ...args, '--packages', packages], {
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}
const root = path.resolve(folder);
upgrade(root, packed);
if (!succeeds(process.execPath, ['node_modules/@contract-kit/cli/bin/contract-kit.js', 'generate'], root))
  fail('The code could not be generated. CHANGELOG.md of the packages says what to change by hand.');
