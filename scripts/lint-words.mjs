// Prints each place where the kit names the petstore.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const WORDS = String.raw`petstore|pst_|\bpets?\b|orderId|petId|listOrders|cancelOrder|getPet|order_|/orders`;
const places = ['src', 'test', 'templates'].map((folder) => `packages/kit/*/${folder}/**`);
const options = ['grep', '-n', '-i', '--untracked', '--perl-regexp', WORDS, '--', ...places];
const { status } = spawnSync('git', options, {
  cwd: path.resolve(import.meta.dirname, '..'),
  stdio: 'inherit',
});
// 1 means that nothing was found.
if (status !== 1) process.exitCode = 1;
