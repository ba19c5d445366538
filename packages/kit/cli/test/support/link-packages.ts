import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../src/workspace.ts';

/** Links the packages of the workspace into the created repository of `service`, in place of those that npm would install. */
export function linkPackages(folder: string, service: string): void {
  const modules = path.join(folder, 'node_modules');
  const link = (name: string, target: string) => symlinkSync(target, path.join(modules, name), 'junction');
  mkdirSync(path.join(modules, `@${service}`), { recursive: true });
  for (const name of readdirSync(path.join(root, 'node_modules')))
    if (!name.startsWith('.')) link(name, path.join(root, 'node_modules', name));
  for (const name of readdirSync(path.join(folder, 'packages')))
    link(`@${service}/${name}`, path.join(folder, 'packages', name));
}
