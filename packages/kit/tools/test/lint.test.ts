import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { houseRules } from '../src/check/check-contract.ts';
import { lintContract } from '../src/lint/lint-contract.ts';
import { changed, contract } from './support/contract.ts';
import { positionOf } from './support/edit.ts';

/* `npm run contract:lint`. rules.test.ts tests the rules of the generator. */

const file = path.join(mkdtempSync(path.join(tmpdir(), 'kit-lint-')), 'openapi.yaml');

async function lint(text: string): Promise<string[]> {
  writeFileSync(file, text);
  return (await lintContract(file, houseRules)).map(
    ({ line, column, message }) => `${line}:${column}: ${message}`,
  );
}

test('a contract that keeps to every rule passes', async () => {
  expect(await lint(contract)).toEqual([]);
});

test('reports a finding of Redocly: an unused component', async () => {
  const text = changed(['  schemas:\n', '  schemas:\n    Unused: { type: string }\n']);
  const says = 'Component: "Unused" is never used. (no-unused-components)';
  expect(await lint(text)).toEqual([`${positionOf(text, 'Unused')}: ${says}`]);
});

test('also reports errors of the generator, once', async () => {
  const text = changed(['[{ id: 1, bookId: 12', '[{ id: 1, bookId: twelve']);
  const says = 'the example does not fit the schema: 0.bookId must be integer';
  expect(await lint(text)).toEqual([`${positionOf(text, 'twelve')}: ${says}`]);
});

test('rejects invalid YAML, with its place', async () => {
  await expect(lint('openapi: 3.1.0\ninfo: [\n')).rejects.toThrow('openapi.yaml:3:1: ');
});
