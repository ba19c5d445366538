// `node scripts/kit-version.mjs VERSION` sets the version of the packages of the kit wherever it stands.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const [, , version = ''] = process.argv;
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('Usage: node scripts/kit-version.mjs VERSION, such as 0.2.0');
  process.exit(2);
}

/** @param {string} name @param {(text: string) => string} change */
function edit(name, change) {
  const file = path.join(root, name);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** Of a workspace in its manifest or in the lock file. @param {string} folder @param {any} manifest */
function set(folder, manifest) {
  if (folder.startsWith('packages/kit/')) manifest.version = version;
  for (const kind of ['dependencies', 'devDependencies'])
    for (const [name, present] of Object.entries(manifest[kind] ?? {}))
      if (name.startsWith('@contract-kit/') && present !== '*') manifest[kind][name] = version;
  return manifest;
}

/** @param {string} text @param {(content: any) => object} change */
const inJson = (text, change) => `${JSON.stringify(change(JSON.parse(text)), undefined, 2)}\n`;

/** @type {Record<string, object>} */
let workspaces = {};
edit('package-lock.json', (text) =>
  inJson(text, (lock) => {
    workspaces = Object.fromEntries(
      Object.entries(lock.packages).filter(([folder]) => !folder.split('/').includes('node_modules')),
    );
    for (const [folder, manifest] of Object.entries(workspaces)) set(folder, manifest);
    return lock;
  }),
);
for (const folder of Object.keys(workspaces))
  edit(path.join(folder, 'package.json'), (text) => inJson(text, (manifest) => set(folder, manifest)));
edit('packages/kit/core/src/contract/version.ts', (text) =>
  text.replace(/VERSION = '[^']*'/, `VERSION = '${version}'`),
);
edit('packages/kit/CHANGELOG.md', (text) =>
  text.replace('## Unreleased\n', `## Unreleased\n\n## ${version}\n`),
);
