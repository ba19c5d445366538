// Bundles what the command runs into few files, with most of its packages.
import { build } from 'esbuild';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { markBuilt } from '../../../scripts/sources.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const dist = path.join(root, 'apps/server/dist');
const outdir = path.join(dist, 'bundle');

// Native, or changed by OpenTelemetry as they are loaded.
const separate = ['better-sqlite3', 'express', 'ioredis', 'pg', 'pino'];
// Few starts load these.
const seldom = ['cli-progress', 'marked', 'pino-pretty', 'yaml'];
const imported = [...separate, ...seldom];

/** Lets each file find what lies beside it from where its code has come to. */
const folders = {
  name: 'folders',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path: file }) => {
      if (!file.startsWith(dist)) return undefined;
      const folder = JSON.stringify(path.relative(outdir, path.dirname(file)));
      const contents = readFileSync(file, 'utf8').replaceAll(
        'import.meta.dirname',
        `(import.meta.dirname + '/' + ${folder})`,
      );
      return { contents };
    });
  },
};

// What tsc does not copy: SQL migrations and what the docs page runs in the browser.
for (const asset of ['database/sqlite/migrations', 'database/postgres/migrations', 'pages/browser'])
  cpSync(path.join(dist, '../src', asset), path.join(dist, asset), { recursive: true });

rmSync(outdir, { recursive: true, force: true });
const { metafile } = await build({
  metafile: true,
  absWorkingDir: root,
  // The pages keep their names: a service that runs loads them when they are asked for, perhaps after another build.
  entryPoints: ['cli/main', 'pages/html', 'pages/markdown'].map((file) => path.join(dist, `${file}.js`)),
  entryNames: '[name]',
  outdir,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: imported,
  plugins: [folders],
  // Packages in CommonJS ask for Node's modules by it.
  banner: {
    js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
});

// For `npm run package`: the packages that the bundle imports, and those in it, whose licences go with it.
const bundled = Object.keys(metafile.inputs).flatMap(
  (file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
);
const packages = { imported, bundled: [...new Set(bundled)].sort() };
writeFileSync(path.join(dist, 'packages.json'), JSON.stringify(packages));
markBuilt('apps/server');
