// Joins what the command runs into few files, with most of its packages: a start that reads hundreds takes twice as long.
import { build } from 'esbuild';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
const dist = path.join(root, 'apps/server/dist');
const outdir = path.join(dist, 'bundle');

// Native, or changed by OpenTelemetry as they are loaded.
const separate = ['better-sqlite3', 'express', 'ioredis', 'pg', 'pino'];
// Loaded by few starts.
const seldom = ['cli-progress', 'marked', 'pino-pretty', 'yaml'];

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
await build({
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
  external: [...separate, ...seldom],
  plugins: [folders],
  // Packages in CommonJS ask for Node's modules by it.
  banner: {
    js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
});
