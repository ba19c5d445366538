// Builds a program of a checkout if its sources have changed. `node scripts/sources.mjs FOLDER` marks it as built.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const CONTRACT = ['openapi.yaml', 'service.json', 'packages/contract/src', 'packages/kit/core/src'];
const KIT = ['core', 'client', 'mcp', 'server', 'cli'].map((name) => `packages/kit/${name}/src`);
/** The files and folders that a program is built from. */
const SOURCES = {
  'packages/kit/cli': KIT,
  'apps/server': [
    ...CONTRACT,
    'packages/kit/server/src',
    'apps/server/src',
    'apps/server/scripts',
    'scripts',
  ],
  'packages/mcp': [
    ...CONTRACT,
    'packages/client/src',
    'packages/kit/client/src',
    'packages/kit/mcp/src',
    'packages/mcp/src',
  ],
};
/** @typedef {keyof typeof SOURCES} Folder */

/** @param {Folder} folder */
export function buildIfStale(folder) {
  const stamp = stampOf(folder);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOf(folder)) return;
  const [command] = Object.keys(JSON.parse(read(`${folder}/package.json`)).bin);
  console.error(`${command}: building, because the sources have changed …`);
  const build = spawnSync(
    'npx',
    ['turbo', 'run', 'build', '--output-logs=errors-only', '--log-prefix=none'],
    {
      cwd: path.join(root, folder),
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
      // The client of an MCP server reads the protocol from stdout.
      stdio: ['ignore', 2, 2],
    },
  );
  if (build.status === 0) return markBuilt(folder);
  console.error(`${command}: the build failed; run \`npm ci\` and then \`npm run build\` to see why.`);
  process.exit(1);
}

/** @param {Folder} folder */
export function markBuilt(folder) {
  writeFileSync(stampOf(folder), digestOf(folder));
}

/** @param {Folder} folder */
const stampOf = (folder) => path.join(root, folder, 'dist/sources.sha256');

/** @param {Folder} folder */
function digestOf(folder) {
  const hash = createHash('sha256');
  const files = SOURCES[folder].flatMap((source) =>
    statSync(path.join(root, source)).isFile()
      ? source
      : readdirSync(path.join(root, source), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
          .sort(),
  );
  for (const file of files) hash.update(`${file}\n`).update(read(file));
  return hash.digest('hex');
}

/** @param {string} file */
function read(file) {
  return readFileSync(path.join(root, file), 'utf8');
}

if (process.argv[1] === import.meta.filename) markBuilt(/** @type {Folder} */ (process.argv[2]));
