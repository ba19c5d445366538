// Packs the packages of the kit as they are published, with the changes, and the guide and its example in that of the command.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { buildKitIfStale, digestOfFiles } from '@contract-kit/cli/build-if-stale';
import { FOLDERS } from './kit-folders.mjs';

const root = path.resolve(import.meta.dirname, '..');
const kit = path.join(root, 'packages/kit');
const EXAMPLE = 'examples/invoicing';

/**
 * Packs them into `target`, and returns the files by name. `isDevelopment`: their version ends with a digest of their
 * content, because npm installs the same version with other content from its cache. `repository`: the URL that their manifests name.
 *
 * @param {string} target
 * @param {{ isDevelopment?: boolean, repository?: string }} [options]
 * @returns {Promise<Record<string, string>>}
 */
export async function packKit(target, { isDevelopment = false, repository } = {}) {
  buildKitIfStale();
  const staging = mkdtempSync(path.join(tmpdir(), 'kit-'));
  try {
    for (const name of FOLDERS) stage(path.join(kit, name), path.join(staging, name));
    stageGuide(path.join(staging, 'cli'));
    const suffix = isDevelopment ? `-dev.${digestOfFiles(staging, [staging]).slice(0, 12)}` : '';
    const packed = FOLDERS.map(async (name) => {
      const origin = repository && { type: 'git', url: repository, directory: `packages/kit/${name}` };
      publishable(path.join(staging, name, 'package.json'), suffix, origin);
      const args = ['pack', path.join(staging, name), '--pack-destination', target, '--silent'];
      const { stdout } = await promisify(execFile)('npm', [...args, '--ignore-scripts'], { cwd: staging });
      return [name, path.join(target, stdout.trim())];
    });
    return Object.fromEntries(await Promise.all(packed));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** @param {string} from @param {string} to */
function stage(from, to) {
  const { files = [] } = readJson(path.join(from, 'package.json'));
  const whole = ['package.json', 'README.md', 'LICENSE', ...files].map((name) => path.join(from, name));
  for (const file of [...whole.filter(existsSync), path.join(kit, 'CHANGELOG.md')])
    // The packages have no sources, so that source maps would name files which do not exist.
    cpSync(file, path.join(to, path.basename(file)), {
      recursive: true,
      filter: (source) => !source.endsWith('.js.map'),
    });
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.name.endsWith('.js')) {
      const script = path.join(entry.parentPath, entry.name);
      writeFileSync(script, readFileSync(script, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'));
    }
  rmSync(path.join(to, 'dist/sources.sha256'), { force: true });
}

/** The guide, and next to it the example that it links to. @param {string} to */
function stageGuide(to) {
  cpSync(path.join(root, 'docs/guide'), path.join(to, 'guide'), { recursive: true });
  const contents = path.join(to, 'guide/README.md');
  writeFileSync(contents, readFileSync(contents, 'utf8').replaceAll('](../../examples/', '](../examples/'));
  for (const item of ['README.md', 'openapi.yaml', 'src', 'test'])
    cpSync(path.join(root, EXAMPLE, item), path.join(to, EXAMPLE, item), { recursive: true });
}

/**
 * Adds to the version of a package, and to those of the kit that it depends on. Leaves out what is for its own development.
 *
 * @param {string} file
 * @param {string} suffix
 * @param {object | undefined | ''} origin
 */
function publishable(file, suffix, origin) {
  const manifest = readJson(file);
  delete manifest.devDependencies;
  delete manifest.scripts;
  const dependencies = Object.entries(manifest.dependencies ?? {}).map(([name, version]) => [
    name,
    name.startsWith('@contract-kit/') ? version + suffix : version,
  ]);
  const files = [...manifest.files, 'CHANGELOG.md', 'guide', 'examples'];
  const published = {
    ...manifest,
    version: manifest.version + suffix,
    ...(origin && { repository: origin }),
    files,
  };
  if (dependencies.length > 0) published.dependencies = Object.fromEntries(dependencies);
  writeFileSync(file, `${JSON.stringify(published, undefined, 2)}\n`);
}

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

// `node scripts/pack-kit.mjs FOLDER [--repository URL]` packs them for publishing.
if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    options: { repository: { type: 'string' } },
    allowPositionals: true,
  });
  const [target] = positionals;
  if (!target || !existsSync(target) || readdirSync(target).length > 0) {
    console.error(
      'Usage: node scripts/pack-kit.mjs FOLDER [--repository URL], where FOLDER is an empty folder',
    );
    process.exit(2);
  }
  const { repository } = values;
  const packed = await packKit(path.resolve(target), repository === undefined ? {} : { repository });
  for (const file of Object.values(packed)) console.log(file);
}
