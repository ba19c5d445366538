// `node scripts/publish-kit.mjs FOLDER` publishes the packages of the kit that `pack-kit.mjs` packed into FOLDER. It skips
// those that the registry has, so it can be run again after a failure.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FOLDERS } from './kit-folders.mjs';

/** @typedef {{ name: string, version: string, file: string, integrity: string }} Packed */

/**
 * @param {string} message
 * @param {number} [status]
 * @returns {never}
 */
function fail(message, status = 1) {
  console.error(message);
  process.exit(status);
}

/**
 * The packages in `folder`, in the order of FOLDERS: each depends on those before it.
 *
 * @param {string} folder
 * @returns {Packed[]}
 */
function packagesIn(folder) {
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  const packed = files.filter((file) => file.endsWith('.tgz')).map(describe);
  const wanted = FOLDERS.map((name) => (name === 'create' ? 'create-contract-kit' : `@contract-kit/${name}`));
  const sorted = wanted.map((name) => packed.find((found) => found.name === name));
  const [version, ...others] = new Set(packed.map((found) => found.version));
  if (packed.length !== FOLDERS.length || sorted.includes(undefined) || others.length > 0)
    fail(
      `${folder} must have ${wanted.join(', ')}, each once and of one version. Pack them into an empty folder.`,
    );
  // npm takes it for the newest version otherwise.
  if (version?.includes('-')) fail(`${version} is a development version. Pack the packages for publishing.`);
  return /** @type {Packed[]} */ (sorted);
}

/**
 * @param {string} file
 * @returns {Packed}
 */
function describe(file) {
  const { name, version } = JSON.parse(
    execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' }),
  );
  const digest = createHash('sha512').update(readFileSync(file)).digest('base64');
  return { name, version, file, integrity: `sha512-${digest}` };
}

/**
 * The integrity of a version in the registry, or undefined if the registry does not have it.
 *
 * @param {Packed} packed
 * @returns {string | undefined}
 */
function publishedIntegrity({ name, version }) {
  const args = ['view', `${name}@${version}`, 'dist.integrity', '--json', '--prefer-online'];
  const { status, stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
  if (status === 0) return stdout.trim() === '' ? undefined : JSON.parse(stdout);
  if (stdout.trim() !== '' && JSON.parse(stdout).error?.code === 'E404') return undefined;
  return fail(`The registry cannot be asked for ${name}@${version}:\n${stderr}${stdout}`);
}

const [, , folder] = process.argv;
if (!folder)
  fail('Usage: node scripts/publish-kit.mjs FOLDER, into which scripts/pack-kit.mjs packed the packages', 2);
const packages = packagesIn(path.resolve(folder));
const published = packages.map(publishedIntegrity);
const differing = packages.filter(
  ({ integrity }, index) => ![undefined, integrity].includes(published[index]),
);
if (differing.length > 0)
  fail(
    `The registry has other content for ${differing.map(({ name, version }) => `${name}@${version}`).join(', ')}. Nothing was published. Raise the version.`,
  );
for (const [index, { name, version, file }] of packages.entries()) {
  if (published[index] !== undefined) {
    console.log(`${name}@${version} is published already`);
    continue;
  }
  const { status } = spawnSync('npm', ['publish', file, '--access', 'public'], { stdio: 'inherit' });
  if (status !== 0)
    fail(`${name}@${version} could not be published. Run this again: it skips what is published.`);
  console.log(`${name}@${version} is published`);
}
