// Builds the packages of the kit if their sources have changed since the last build of the command, which is made last.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { digestOfFiles } from '@contract-kit/cli/build-if-stale';

const root = path.resolve(import.meta.dirname, '..');
const kit = path.join(root, 'packages/kit');
const stamp = path.join(kit, 'cli/dist/sources.sha256');
const digest = () =>
  digestOfFiles(
    root,
    ['core', 'client', 'mcp', 'server', 'cli'].map((name) => path.join(kit, name, 'src')),
  );

export function buildKitIfStale() {
  // Turbo has built what its tasks depend on, and an installed kit has no sources.
  if (process.env.TURBO_HASH || !existsSync(kit)) return;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest()) return;
  console.error('contract-kit: building, because the sources have changed …');
  const args = ['turbo', 'run', 'build', '--filter=@contract-kit/cli', '--output-logs=errors-only'];
  const { status } = spawnSync('npx', [...args, '--log-prefix=none'], {
    cwd: root,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    // The client of an MCP server reads the protocol from stdout.
    stdio: ['ignore', 2, 2],
  });
  if (status === 0) return;
  console.error('contract-kit: the build failed. The lines above say why.');
  process.exit(1);
}

export function markKitBuilt() {
  writeFileSync(stamp, digest());
}
