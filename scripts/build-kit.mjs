// `npm run build` of a package of the kit: its sources with tsc, its page with esbuild, and copies of its other files.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { markKitBuilt } from '@contract-kit/cli/build-if-stale';

// Turbo builds what it depends on, and runs this again.
if (!process.env.TURBO_HASH) {
  const args = ['turbo', 'run', 'build', `--filter=${process.env.npm_package_name}`];
  process.exit(spawnSync('npx', args, { stdio: 'inherit' }).status ?? 1);
}

/** Programs may run the build before this one: it is replaced at once, with files that are gone, such as migrations. */
const next = 'dist.new';
rmSync(next, { recursive: true, force: true });
const tsc = path.join(import.meta.dirname, 'tsc.mjs');
const args = [tsc, '-p', 'tsconfig.build.json', '--outDir', next];
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
if (status !== 0) {
  rmSync(next, { recursive: true, force: true });
  process.exit(status ?? 1);
}

for (const entry of readdirSync('src', { recursive: true, withFileTypes: true })) {
  const file = path.join(entry.parentPath, entry.name);
  if (entry.isFile() && (!file.endsWith('.ts') || file.endsWith('.d.ts')))
    cpSync(file, path.join(next, path.relative('src', file)));
}

const page = 'src/docs/browser/page.js';
// A classic script, which runs before the first paint; a module would not.
if (existsSync(page))
  await build({
    entryPoints: [page],
    outfile: path.join(next, path.relative('src', page)),
    allowOverwrite: true,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    logLevel: 'warning',
  });

rmSync('dist', { recursive: true, force: true });
renameSync(next, 'dist');

// It is built after the others.
if (path.basename(process.cwd()) === 'cli') markKitBuilt();
