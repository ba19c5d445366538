// The kit serves any contract, so it never says the petstore's words. Prints each place that does.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const WORDS = /petstore|pst_|\bpets?\b|orderId|petId|listOrders|cancelOrder|getPet|order_|\/orders/i;

const FILES = ['src', 'test', 'templates'].map((folder) => `packages/kit/*/${folder}/*`);
const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...FILES];
const files = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
const found = files
  .filter((file) => existsSync(path.join(root, file)))
  .flatMap((file) => {
    const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
    return lines.flatMap((line, index) => (WORDS.test(line) ? [`${file}:${index + 1}:${line.trim()}`] : []));
  });
for (const each of found) console.log(each);
if (files.length === 0) throw new Error('there are no files of the kit to check');
if (found.length > 0) process.exitCode = 1;
