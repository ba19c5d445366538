// `npm run package [-- FOLDER]`: the folder to deploy: the built service, and the packages that it needs.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { buildIfStale } from '../../../scripts/sources.mjs';

const server = path.resolve(import.meta.dirname, '..');
const root = path.resolve(server, '../..');
const service = readJson(path.join(root, 'service.json'));
const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist', service.name));
const command = `bin/${service.name}.js`;
const marker = path.join(folder, command);

if (existsSync(folder) && readdirSync(folder).length > 0) {
  if (!existsSync(marker)) {
    console.error(`package: ${folder} is not empty; name an empty folder, or one that this command made`);
    process.exit(1);
  }
  rmSync(folder, { recursive: true });
}

buildIfStale('apps/server');

/** @param {string} file Of the native module: whether it is a source, or a binary for another platform. */
const isForOthers = (file) =>
  /@photostructure\/sqlite\/(src|scripts|binding\.gyp)/.test(file) ||
  (/\/prebuilds\/(?!$)/.test(file) && !file.includes(`/prebuilds/${process.platform}-${process.arch}`));

/** @param {string} file Of a package: whether nothing loads it. */
const isUnused = (file) =>
  /node_modules\/.*(\/(tests?|__tests__|benchmarks?)$|\.(map|[cm]?ts)$)/.test(path.relative(root, file));

/** @param {string} from @param {string} to */
function copy(from, to) {
  cpSync(from, to, {
    recursive: true,
    filter: (file) => !isForOthers(file) && !isUnused(file) && path.basename(file) !== 'node_modules',
  });
}

copy(path.join(server, 'bin/service.js'), marker);
for (const name of ['dist/bundle', 'dist/app', 'dist/kit'])
  // A service without SQL has no files in `app`.
  if (existsSync(path.join(server, name))) copy(path.join(server, name), path.join(folder, name));
// Without dependencies: `npm install` there would look for the workspace's packages in the registry.
const { name, version, license, type } = readJson(path.join(server, 'package.json'));
const bin = { [service.name]: command };
writeFileSync(
  path.join(folder, 'package.json'),
  JSON.stringify({ name, version, license, type, bin }, null, 2),
);
// An adopted service has none until its owner adds one.
if (existsSync(path.join(root, 'LICENSE'))) copy(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
copy(path.join(root, 'deploy/backup.sh'), path.join(folder, 'backup.sh'));

const { imported, bundled } = readJson(path.join(server, 'dist/packages.json'));
const licences = bundled.map((/** @type {string} */ name) => {
  const file = readdirSync(path.join(root, name)).find((name) => /^licen[cs]e/i.test(name));
  if (!file) throw new Error(`${name} has no licence file`);
  return `${name.replace(/^.*node_modules\//, '')}\n\n${readFileSync(path.join(root, name, file), 'utf8')}`;
});
writeFileSync(path.join(folder, 'LICENSES-OF-BUNDLED-PACKAGES'), licences.join('\n\n'));

// Copies the tested files, not newer ones from the registry.
const packages = new Set();
for (const name of imported) addPackage(name, path.join(root, 'packages/kit/server'));
for (const from of packages) {
  const to = path.join(folder, path.relative(root, from).replace(/^packages\/kit\/server\//, ''));
  if (existsSync(path.join(to, 'package.json'))) throw new Error(`there are two versions of ${from}`);
  copy(from, to);
}
console.log(
  `${path.relative(process.cwd(), folder) || '.'}: the service and ${packages.size} packages; start it with`,
);
console.log(`  node ${path.relative(process.cwd(), marker)} serve`);

/**
 * Adds the package `name`, as resolved from `folder`, and its dependencies.
 *
 * @param {string} name
 * @param {string} folder
 */
function addPackage(name, folder) {
  const found = createRequire(`${folder}/`)
    .resolve.paths(`${name}/package.json`)
    ?.map((item) => path.join(item, name))
    .find(existsSync);
  if (!found) throw new Error(`${name}, which ${folder} needs, is not installed`);
  if (packages.has(found)) return;
  packages.add(found);
  const { dependencies } = readJson(path.join(found, 'package.json'));
  for (const name of Object.keys(dependencies ?? {})) {
    // Only compiles native modules.
    if (name !== 'node-addon-api') addPackage(name, found);
  }
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
