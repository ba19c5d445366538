import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '@contract-kit/test-support/testing';
import { root } from '@petstore/server/testing';

/** What the lint prints for a repository with a page of `text`, and a suite. */
function lint(text: string): string {
  const folder = newFolder();
  for (const name of ['scripts', 'test']) mkdirSync(path.join(folder, name));
  cpSync(path.join(root, 'scripts/lint-links.mjs'), path.join(folder, 'scripts/lint-links.mjs'));
  writeFileSync(
    path.join(folder, 'test/keys.test.ts'),
    "test('a key\\'s owner may go', () => {});\ntest.each([1])(`%i is it`, () => {});\ntest.each([\n  ['of a shop', 1],\n])(\n  'a key %s',",
  );
  writeFileSync(path.join(folder, 'PAGE.md'), text);
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  return spawnSync(process.execPath, ['scripts/lint-links.mjs'], { cwd: folder, encoding: 'utf8' }).stdout;
}

test.each([
  ['| Keys | `keys.test.ts`: "a key\'s owner may stay" |', 'test "a key\'s owner may stay"'],
  ["`test/keys.test.ts` “a key's owner” says so.", 'test "a key\'s owner"'],
  ['[`keys.test.ts`](test/keys.test.ts), "is it"', 'test "is it"'],
  ['`locks.test.ts`: "a key\'s owner may go"', 'test "a key\'s owner may go"\nPAGE.md:1:no locks.test.ts'],
  ['[there](none.md)', 'none.md'],
  ['`npm run nothing`', 'npm run nothing'],
])('a page may not say %j', (text, missing) => {
  expect(lint(text)).toBe(`PAGE.md:1:no ${missing}\n`);
});

test.each([
  '| Keys | `keys.test.ts`: "a key\'s owner may go" |',
  "(`test/keys.test.ts` “a key's owner may go”)",
  '[`keys.test.ts`](test/keys.test.ts): "%i is it"',
  '`keys.test.ts` tests it. "A quotation."',
  '`keys.test.ts`: "of a shop", `keys.test.ts`: "a key %s"',
])('a page may say %j', (text) => {
  expect(lint(text)).toBe('');
});

const TABLE = '| What happens | Then |\n| ------------ | ---- |\n';

test('tables of failures have the same rows, each with a test, a link or a dash', () => {
  const [kept, lost] = ['| a stop | [it](PAGE.md) ends |\n', '| a kill | – it has none |\n'];
  expect(lint(`# One\n\n${TABLE}${kept}${lost}# Two\n\n${TABLE}${lost}${kept}`)).toBe('');
  expect(lint(`# One\n\n${TABLE}${kept}${lost}# Two\n\n${TABLE}${kept}`)).toBe('PAGE.md:no row "a kill"\n');
  expect(lint(`# One\n\n${TABLE}| a stop | it ends |\n`)).toBe('PAGE.md:no test or sentence in "a stop"\n');
});
