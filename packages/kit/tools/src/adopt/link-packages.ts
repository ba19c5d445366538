import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Renaming } from './manifests.ts';

/** The workspaces named after the service, which `npm ci` would link. */
const FOLDERS = ['packages/contract', 'packages/client', 'packages/mcp', 'apps/server'];

/** Links the packages of the service into node_modules, and removes those of the old name. */
export async function linkPackages(root: string, { before, name }: Renaming): Promise<void> {
  const modules = path.join(root, 'node_modules');
  for (const old of [`@${before}`, `.bin/${before}`, `.bin/${before}-mcp`])
    await rm(path.join(modules, old), { recursive: true, force: true });
  await mkdir(path.join(modules, `@${name}`));
  for (const folder of FOLDERS) {
    const link = path.join(modules, `@${name}`, path.basename(folder));
    await symlink(path.join(root, folder), link, 'junction');
  }
  // npm writes scripts there on Windows; `npm run` finds these programs by their files.
  if (process.platform === 'win32') return;
  await symlink(`../@${name}/server/bin/service.js`, path.join(modules, '.bin', name));
  await symlink(`../@${name}/mcp/bin/${name}-mcp.js`, path.join(modules, '.bin', `${name}-mcp`));
}
