// Bundles the command and most of its packages into few files.
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, imported } from '../../../scripts/bundle.mjs';
import { markBuilt } from '../../../scripts/sources.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const dist = path.join(root, 'apps/server/dist');
/** The sources, and where their other files go. */
const kit = path.join(
  path.dirname(fileURLToPath(import.meta.resolve('@contract-kit/server/package.json'))),
  'dist',
);
const sources = { [path.join(root, 'apps/server/src')]: 'app', [kit]: 'kit' };

const { metafile } = await bundle({
  root,
  // Pages and tools keep their names: a running service may load them after another build.
  entryPoints: {
    main: 'apps/server/src/main.ts',
    html: path.join(kit, 'docs/html.js'),
    markdown: path.join(kit, 'docs/markdown.js'),
    'tool-server': path.join(kit, 'mcp/tool-server.js'),
  },
  outdir: path.join(dist, 'bundle'),
  folderOf(file) {
    const [source, copied = ''] =
      Object.entries(sources).find(([folder]) => file.startsWith(path.join(folder, '/'))) ?? [];
    return source && path.join('..', copied, path.dirname(path.relative(source, file)));
  },
});

// SQL, and the browser files of the docs page.
for (const [source, copied] of Object.entries(sources)) {
  // A file that was removed, such as a migration, would run.
  rmSync(path.join(dist, copied), { recursive: true, force: true });
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!/\.sql$|\/browser\/[^/]+$/.test(file)) continue;
    cpSync(file, path.join(dist, copied, path.relative(source, file)));
  }
}

// For `npm run package`: the packages that the bundle imports, and those inside it, for their licences.
const bundled = Object.keys(metafile.inputs).flatMap(
  (file) =>
    /^(?:(?:packages\/kit\/server\/)?node_modules\/(?:@[^/]+\/)?|packages\/kit\/)[^/]+/.exec(file)?.[0] ?? [],
);
const packages = { imported, bundled: [...new Set(bundled)].sort() };
writeFileSync(path.join(dist, 'packages.json'), JSON.stringify(packages));
markBuilt('apps/server');
