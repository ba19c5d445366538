// Prints each place where the kit names the petstore, breaks the list of terms in CONTRIBUTING.md, or has two exports of
// one name in a package.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FOLDERS } from './kit-folders.mjs';

const root = path.resolve(import.meta.dirname, '..');
const PETSTORE = String.raw`petstore|pst_|\bpets?\b|orderId|petId|listOrders|cancelOrder|getPet|order_|/orders`;
const TERMS = String.raw`\b(?!ownProperties)(own|plain|answer)[A-Z]\w|\b(Own|Plain|Answer)[A-Z]\w|[a-z](?<!has)(?<!To)Own[A-Z(]|[a-z]Plain[A-Z(]|\b(own|plain|answer)-[a-z-]+\.ts`;

/** @param {string} words @param {readonly string[]} folders @param {readonly string[]} [options] */
function find(words, folders, options = []) {
  const places = folders.map((folder) => `packages/kit/*/${folder}/**`);
  const args = ['grep', '-n', ...options, '--untracked', '--perl-regexp', words, '--', ...places];
  const { status } = spawnSync('git', args, { cwd: root, stdio: 'inherit' });
  // 1 means that nothing was found.
  if (status !== 1) process.exitCode = 1;
}

find(PETSTORE, ['src', 'test', 'templates'], ['-i']);
find(TERMS, ['src']);

/** The client has a file for browsers that replaces one for Node.js, and each command has its `main`. */
const REPLACED = /platform\.page\.ts$/;
const EXPORTED = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;
for (const folder of FOLDERS) {
  const sources = path.join(root, 'packages/kit', folder, 'src');
  // `create` is one program.
  if (!existsSync(sources)) continue;
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const entry of readdirSync(sources, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    // Generated code stands in texts of this folder.
    if (!file.endsWith('.ts') || REPLACED.test(file) || file.endsWith('client-sources.ts')) continue;
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(EXPORTED)) {
      const other = found.get(name);
      if (other === undefined || other === file || name === 'main') found.set(name, file);
      else {
        console.error(`${path.relative(root, file)}: ${path.relative(root, other)} exports ${name}, too`);
        process.exitCode = 1;
      }
    }
  }
}
