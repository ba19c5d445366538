import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bench } from './bench.ts';
import { root } from './server.ts';

const PACKAGES = {
  contract: 'packages/contract',
  'contract-tools': 'packages/contract-tools',
  client: 'packages/client',
  server: 'apps/server',
};
const LEFT_OUT = new Set(['node_modules', 'dist', '.turbo', '.data', '.git', 'bench']);

/** A copy of this workspace, outside of it, with the packages that are installed here and workspaces of its own. */
export function copyWorkspace(bench: Bench): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-bench-'));
  bench.onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const filter = (source: string) => source === root || !LEFT_OUT.has(path.basename(source));
  cpSync(root, folder, { recursive: true, filter });
  for (const part of ['.', ...Object.values(PACKAGES)]) {
    const installed = path.join(root, part, 'node_modules');
    const modules = path.join(folder, part, 'node_modules');
    mkdirSync(path.join(modules, '@petstore'), { recursive: true });
    for (const name of existsSync(installed) ? readdirSync(installed) : []) {
      if (name !== '@petstore' && name !== '.cache')
        symlinkSync(path.join(installed, name), path.join(modules, name));
    }
  }
  for (const [name, part] of Object.entries(PACKAGES))
    symlinkSync(path.join(folder, part), path.join(folder, 'node_modules/@petstore', name));
  return folder;
}

/** Changes one file of a copy. Throws where nothing changes. */
export function edit(workspace: string, file: string, change: (text: string) => string): void {
  const full = path.join(workspace, file);
  const before = readFileSync(full, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`${file} is not as it is expected to be`);
  writeFileSync(full, after);
}
