// Bundles the command and most of its packages into few files.
import { build } from 'esbuild';
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { markBuilt } from '../../../scripts/sources.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const dist = path.join(root, 'apps/server/dist');
const outdir = path.join(dist, 'bundle');
/** The sources, and where their other files go. */
const sources = { 'apps/server/src': 'app', 'packages/kit/server/src': 'kit' };

// Native packages, and packages that OpenTelemetry patches when they are loaded.
const separate = ['better-sqlite3', 'express', 'ioredis', 'pg', 'pino'];
// Rarely loaded packages.
const seldom = ['cli-progress', 'pino-pretty', 'yaml'];
const imported = [...separate, ...seldom];

/**
 * Lets bundled code find the files next to its source.
 *
 * @type {import('esbuild').Plugin}
 */
const folders = {
  name: 'folders',
  setup(bundler) {
    bundler.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const contents = readFileSync(file, 'utf8');
      const known = Object.entries(sources).find(([folder]) => file.startsWith(path.join(root, folder, '/')));
      if (!known) return { contents, loader: 'ts' };
      const [source, copied] = known;
      const folder = path.join('..', copied, path.dirname(path.relative(path.join(root, source), file)));
      return {
        contents: contents.replaceAll('import.meta.dirname', `(import.meta.dirname + '/${folder}')`),
        loader: 'ts',
      };
    });
  },
};

/**
 * express-openapi-validator compiles OpenAPI's schema for each operation without using it: this tells it not to validate
 * the document. jest.outside.cjs does the same.
 *
 * @type {import('esbuild').Plugin}
 */
const noSchemaOfOpenApi = {
  name: 'no schema of OpenAPI',
  setup(bundler) {
    bundler.onLoad({ filter: /express-openapi-validator.*\.schema\.json$/ }, () => ({
      contents: '{}',
      loader: 'json',
    }));
  },
};

rmSync(outdir, { recursive: true, force: true });
const { metafile } = await build({
  metafile: true,
  absWorkingDir: root,
  // The pages keep their names: a running service may load them after another build.
  entryPoints: {
    main: 'apps/server/src/main.ts',
    html: 'packages/kit/server/src/docs/html.ts',
    markdown: 'packages/kit/server/src/docs/markdown.ts',
  },
  outdir,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  sourcesContent: false,
  external: imported,
  plugins: [folders, noSchemaOfOpenApi],
  // CommonJS packages require Node's modules.
  banner: {
    js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
});

// SQL, and the browser files of the docs page.
for (const [source, copied] of Object.entries(sources)) {
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
