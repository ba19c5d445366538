import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { buildServer, kitFolder, readPackages } from '../build/build-server.ts';
import { houseRules } from '../rules/check-contract.ts';
import { CommandError, runCommand, type Terminal } from '../command.ts';
import { differences, generate } from '../generate/generate.ts';
import { readService } from '../service.ts';
import { root } from '../workspace.ts';

const USAGE = `Usage: contract-kit package [FOLDER]

Builds the service, and writes the folder to deploy: the service with the packages that it needs. A machine that runs it
needs Node.js, and not npm. By default the folder is dist/NAME.

  --help   print this`;

const server = path.join(root, 'apps/server');

export const main = (terminal: Terminal) =>
  runCommand(
    USAGE,
    {},
    async (_values, target) => {
      const { name } = (await readService(houseRules)).names;
      const folder = path.resolve(target ?? path.join(root, 'dist', name));
      const program = path.join(folder, `bin/${name}.js`);
      rejectOthers(folder, program);
      const stale = (await differences(await generate())).map(({ name }) => name);
      if (stale.length > 0)
        throw new CommandError(`Not up to date: ${stale.join(', ')}. Run \`npm run generate\`.`);
      await buildServer();
      rmSync(folder, { recursive: true, force: true });
      const packages = await writePackage(folder, program, name);
      terminal.out(`${shown(folder) || '.'}: the service and ${packages} packages; start it with
  node ${shown(program)} serve`);
      return 0;
    },
    terminal,
    1,
  );

const shown = (file: string) => path.relative(process.cwd(), file);

/** Throws a CommandError if the folder has files of somebody else. */
function rejectOthers(folder: string, program: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0 || existsSync(program)) return;
  throw new CommandError(
    `${folder} is not empty. Name an empty folder, or one that this command made for this service.`,
  );
}

/** Writes the folder, and returns the number of packages in it. */
async function writePackage(folder: string, program: string, service: string): Promise<number> {
  copy(path.join(server, 'bin/service.js'), program);
  for (const name of ['dist/bundle', 'dist/app', 'dist/kit'])
    // A service without SQL has no files in `app`.
    if (existsSync(path.join(server, name))) copy(path.join(server, name), path.join(folder, name));
  // Without dependencies: `npm install` there would look for the workspace's packages in the registry.
  const { name, version, license, type } = readJson(path.join(server, 'package.json'));
  const bin = { [service]: `bin/${service}.js` };
  const manifest = { name, version, license, type, bin };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2));
  // A new service has none until its owner adds one.
  if (existsSync(path.join(root, 'LICENSE'))) copy(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  copy(path.join(root, 'deploy/backup.sh'), path.join(folder, 'backup.sh'));

  const { imported, bundled } = await readPackages();
  const licences = bundled.map(licenceOf).join('\n\n');
  writeFileSync(path.join(folder, 'LICENSES-OF-BUNDLED-PACKAGES'), licences);

  // The installed files, not newer ones from the registry.
  const kit = kitFolder();
  const packages = new Set<string>();
  for (const name of imported) addPackage(packages, name, kit);
  for (const from of packages) {
    const base = from.startsWith(path.join(kit, '/')) ? kit : root;
    const to = path.join(folder, path.relative(base, from));
    if (existsSync(path.join(to, 'package.json')))
      throw new CommandError(`There are two versions of ${from}: run \`npm dedupe\`.`);
    copy(from, to);
  }
  return packages.size;
}

/** Whether a file of the native module is a source, or a binary for another platform. */
const isForOthers = (file: string) =>
  /@photostructure\/sqlite\/(src|scripts|binding\.gyp)/.test(file) ||
  (/\/prebuilds\/(?!$)/.test(file) && !file.includes(`/prebuilds/${process.platform}-${process.arch}`));

/** Whether nothing loads a file of a package. */
const isUnused = (file: string) =>
  /node_modules\/.*(\/(tests?|__tests__|benchmarks?)$|\.(map|[cm]?ts)$)/.test(path.relative(root, file));

function copy(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    filter: (file) => !isForOthers(file) && !isUnused(file) && path.basename(file) !== 'node_modules',
  });
}

function licenceOf(folder: string): string {
  const place = path.join(root, folder);
  const file = readdirSync(place).find((name) => /^licen[cs]e/i.test(name));
  if (!file) throw new CommandError(`${folder} has no licence file.`);
  const name = folder.replace(/^.*node_modules\//, '');
  return `${name}\n\n${readFileSync(path.join(place, file), 'utf8')}`;
}

/** Adds the package `name`, as resolved from `folder`, and its dependencies. */
function addPackage(packages: Set<string>, name: string, folder: string): void {
  const found = createRequire(`${folder}/`)
    .resolve.paths(`${name}/package.json`)
    ?.map((item) => path.join(item, name))
    .find(existsSync);
  if (found === undefined) throw new CommandError(`${name}, which ${folder} needs, is not installed.`);
  if (packages.has(found)) return;
  packages.add(found);
  const { dependencies = {} } = readJson(path.join(found, 'package.json'));
  for (const name of Object.keys(dependencies))
    // Only compiles native modules.
    if (name !== 'node-addon-api') addPackage(packages, name, found);
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly type?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Manifest;
