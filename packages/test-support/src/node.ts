import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** The versions of Node.js that everything runs on: the oldest that is supported, and the long-term ones after it. */
export const NODE_VERSIONS = ['20.19', '22', '24', '26'] as const;

/** Installs the latest Node.js of `version` into `folder`, from the npm package that holds it. Returns its program. */
export function installNode(folder: string, version: string): string {
  const name = `node-${process.platform}-${process.arch}`;
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  execFileSync('npm', ['install', ...options, `${name}@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return path.join(folder, 'node_modules', name, 'bin/node');
}
