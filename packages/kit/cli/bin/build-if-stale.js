// Builds what is run if its sources have changed since its last build: a program of a repository, and in a checkout of the kit
// the packages of the kit. Not compiled, because a fresh checkout has no build of this package yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const kit = path.resolve(import.meta.dirname, '../..');
const CONTRACT = ['openapi.yaml', 'openapi', 'service.json', 'packages/contract/src'];
/** The sources of a program in the repository besides its own, and the packages of the kit that are part of it. */
const PARTS = {
  server: { folder: 'apps/server', sources: CONTRACT, kit: ['core', 'server', 'cli'] },
  mcp: {
    folder: 'packages/mcp',
    sources: [...CONTRACT, 'packages/client/src'],
    kit: ['core', 'client', 'mcp', 'cli'],
  },
};
/** @typedef {keyof typeof PARTS} Part */
const PACKAGES = ['core', 'client', 'mcp', 'server', 'testing', 'cli'];
const kitStamp = path.join(kit, 'cli/dist/sources.sha256');
const kitDigest = () =>
  digestOfFiles(
    kit,
    PACKAGES.map((name) => path.join(kit, name, 'src')),
  );

/** Builds the packages of the kit, unless their last build is of the same sources. Ends the process if that fails. */
export function buildKitIfStale() {
  // Turbo has built what its tasks depend on, and a published package has no sources.
  if (process.env.TURBO_HASH || !existsSync(path.join(kit, 'cli/src'))) return;
  if (isBuilt(kitStamp, kitDigest)) return;
  console.error('contract-kit: building, because the sources have changed …');
  const args = ['turbo', 'run', 'build', '--filter=@contract-kit/cli', '--output-logs=errors-only'];
  const { status } = spawnSync('npx', [...args, '--log-prefix=none'], {
    cwd: path.resolve(kit, '../..'),
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    // The client of an MCP server reads the protocol from stdout.
    stdio: ['ignore', 2, 2],
  });
  if (status === 0) return;
  console.error('contract-kit: the build failed. The lines above say why.');
  process.exit(1);
}

/** The package of the command is the last to be built. */
export function markKitBuilt() {
  writeFileSync(kitStamp, kitDigest());
}

/**
 * Generates the code and builds `part` of the repository at `root`, unless its last build is of the same sources. Ends the
 * process if that fails.
 *
 * @param {string} root
 * @param {Part} part
 */
export function buildIfStale(root, part) {
  if (isBuilt(stampOf(root, part), () => digestOf(root, part))) return;
  const service = JSON.parse(readFileSync(path.join(root, 'service.json'), 'utf8')).name;
  const name = part === 'server' ? service : `${service}-${part}`;
  console.error(`${name}: building, because the sources have changed …`);
  const command = path.join(import.meta.dirname, 'contract-kit.js');
  for (const args of [['generate'], ['build', part]]) {
    // The client of an MCP server reads the protocol from stdout.
    const { status } = spawnSync(process.execPath, [command, ...args], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    });
    if (status === 0) continue;
    console.error(`${name}: the build failed. The lines above say why.`);
    process.exit(1);
  }
}

/** @param {string} stamp @param {() => string} digest */
const isBuilt = (stamp, digest) => existsSync(stamp) && readFileSync(stamp, 'utf8') === digest();

/**
 * @param {string} root
 * @param {Part} part
 */
export function markBuilt(root, part) {
  const stamp = stampOf(root, part);
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, digestOf(root, part));
}

/**
 * @param {string} root
 * @param {Part} part
 */
const stampOf = (root, part) => path.join(root, PARTS[part].folder, 'dist/sources.sha256');

/**
 * @param {string} root
 * @param {Part} part
 */
function digestOf(root, part) {
  const { folder, sources, kit: names } = PARTS[part];
  const own = [...sources, `${folder}/src`].map((name) => path.join(root, name));
  // A checkout of the kit has sources. An installed package changes with its version.
  const ofKit = names.map((name) => {
    const source = path.join(kit, name, 'src');
    return existsSync(source) ? source : path.join(kit, name, 'package.json');
  });
  return digestOfFiles(root, [...own, ...ofKit]);
}

/**
 * Of files and folders, with their names from `root`. What does not exist is left out.
 *
 * @param {string} root
 * @param {readonly string[]} places
 */
export function digestOfFiles(root, places) {
  const hash = createHash('sha256');
  for (const file of places.flatMap(filesIn))
    hash.update(`${path.relative(root, file)}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

/**
 * @param {string} place
 * @returns {string[]}
 */
function filesIn(place) {
  if (!existsSync(place)) return [];
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}
