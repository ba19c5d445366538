import { readdirSync } from 'node:fs';
import path from 'node:path';
import { checkFile } from '../../src/check/check-file.ts';

/* Small contracts with the habits of generators, written here: checked, served, and called by the client and as tools. */

const folder = path.join(import.meta.dirname, '../frameworks');

/** The remarks, by file. */
const REMARKS: Readonly<Record<string, readonly string[]>> = {
  'nestjs.yaml': ['nullable beside allOf is read as null'],
  'tsoa.yaml': ['null is not allowed: enum does not list it'],
  'zod.yaml': ['readOnly is ignored: it is for properties'],
};

test.each(readdirSync(folder))('a contract as its generator writes it works: %s', async (name) => {
  const file = path.join(folder, name);
  const { lines } = await checkFile(file);
  const works = expect.stringMatching(
    /: works( \(open to everyone: no operation requires security\))?$/,
  ) as string;
  const remarks = (REMARKS[name] ?? []).map((text) => expect.stringContaining(text) as string);
  expect(lines).toEqual([works, ...remarks]);
});
