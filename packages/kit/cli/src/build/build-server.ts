import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { bundleOptions, imported } from '@contract-kit/server/bundle';
import { build } from 'esbuild';
import { root } from '../workspace.ts';

const folder = path.join(root, 'apps/server');
const dist = path.join(folder, 'dist');
export const packagesFile = path.join(dist, 'packages.json');

/** For the folder to deploy: the packages that the bundle imports, and the folders of those inside it, from the root. */
export interface BundledPackages {
  readonly imported: readonly string[];
  readonly bundled: readonly string[];
}

/** The folder of the server's package of the kit. */
export const kitFolder = () =>
  path.dirname(createRequire(path.join(folder, 'package.json')).resolve('@contract-kit/server/package.json'));

/** Bundles the command of the service and most of its packages into few files in `apps/server/dist`. */
export async function buildServer(): Promise<void> {
  const kit = path.join(kitFolder(), 'dist');
  const own = path.join(folder, 'src');
  /** The sources, and where their other files go. */
  const sources = { [own]: 'app', [kit]: 'kit' };
  const outdir = path.join(dist, 'bundle');
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    ...bundleOptions((file) => {
      const [source, copied = ''] =
        Object.entries(sources).find(([folder]) => file.startsWith(path.join(folder, '/'))) ?? [];
      return source && path.join('..', copied, path.dirname(path.relative(source, file)));
    }),
    metafile: true,
    absWorkingDir: root,
    // Pages and tools keep their names: a running service may load them after another build.
    entryPoints: {
      main: path.join(own, 'main.ts'),
      html: path.join(kit, 'docs/html/page.js'),
      markdown: path.join(kit, 'docs/markdown/page.js'),
      'search-index': path.join(kit, 'docs/search/search-index.js'),
      'tool-server': path.join(kit, 'mcp/tool-server.js'),
    },
    outdir,
  });
  for (const [source, copied] of Object.entries(sources)) await copyRead(source, path.join(dist, copied));
  const packages = Object.keys(metafile.inputs).map((file) => packageOf(path.resolve(root, file)));
  const bundled = new Set(
    packages.filter((place) => !isOfService(place)).map((place) => path.relative(root, place)),
  );
  await writeFile(
    packagesFile,
    JSON.stringify({ imported, bundled: [...bundled].sort() } satisfies BundledPackages),
  );
}

/** Copies what is read at run time: SQL, and the browser files of the docs page. */
async function copyRead(source: string, target: string): Promise<void> {
  // A file that was removed, such as a migration, would run.
  await rm(target, { recursive: true, force: true });
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (/\.sql$|\/browser\/[^/]+$/.test(file)) await cp(file, path.join(target, path.relative(source, file)));
  }
}

/** The folder of the package that has a file. Some packages have a package.json without a name in folders below. */
function packageOf(file: string): string {
  const folder = path.dirname(file);
  if (folder === path.dirname(folder)) return root;
  const manifest = path.join(folder, 'package.json');
  const isPackage =
    existsSync(manifest) && (createRequire(manifest)(manifest) as { version?: string }).version !== undefined;
  return isPackage ? folder : packageOf(folder);
}

/** Whether a package is one of the service, and not of the kit or somebody else's. */
const isOfService = (place: string) =>
  place === root || ['apps/server', 'packages/contract'].includes(path.relative(root, place));

export async function readPackages(): Promise<BundledPackages> {
  return JSON.parse(await readFile(packagesFile, 'utf8')) as BundledPackages;
}
