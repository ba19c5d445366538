// Bundles the command and most of its packages into few files.
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundle, imported } from '../../../scripts/bundle.mjs';
import { markBuilt } from '../../../scripts/sources.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const dist = path.join(root, 'apps/server/dist');
/** The sources, and where their other files go. */
const sources = { 'apps/server/src': 'app', 'packages/kit/server/src': 'kit' };

const { metafile } = await bundle({
  root,
  // Pages and tools keep their names: a running service may load them after another build.
  entryPoints: {
    main: 'apps/server/src/main.ts',
    html: 'packages/kit/server/src/docs/html.ts',
    markdown: 'packages/kit/server/src/docs/markdown.ts',
    'tool-server': 'packages/kit/server/src/mcp/tool-server.ts',
  },
  outdir: path.join(dist, 'bundle'),
  folderOf(file) {
    const [source, copied = ''] =
      Object.entries(sources).find(([folder]) => file.startsWith(path.join(root, folder, '/'))) ?? [];
    return source && path.join('..', copied, path.dirname(path.relative(path.join(root, source), file)));
  },
});

// SQL, and the browser files of the docs page.
for (const [source, copied] of Object.entries(sources)) {
  // A file that was removed, such as a migration, would run.
  rmSync(path.join(dist, copied), { recursive: true, force: true });
  for (const entry of readdirSync(path.join(root, source), { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!/\.sql$|\/browser\/[^/]+$/.test(file)) continue;
    cpSync(file, path.join(dist, copied, path.relative(path.join(root, source), file)));
  }
}

// For `npm run package`: the packages that the bundle imports, and those inside it, for their licences.
const bundled = Object.keys(metafile.inputs).flatMap(
  (file) => /^(?:packages\/kit\/server\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
);
const packages = { imported, bundled: [...new Set(bundled)].sort() };
writeFileSync(path.join(dist, 'packages.json'), JSON.stringify(packages));
markBuilt('apps/server');
