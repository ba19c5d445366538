import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readContract } from '@contract-kit/core/source-document';
import { newFolder } from '@contract-kit/local-stack/testing';

test('files that include each other cannot make a document that is too large to read', async () => {
  const folder = newFolder();
  const double = (item: number) =>
    `{ properties: { a: { properties: { $ref: '#/x-a${item}/properties' } }, b: { properties: { $ref: '#/x-a${item}/properties' } } } }`;
  const levels = Array.from({ length: 40 }, (_, item) => `x-a${item}: ${double(item + 1)}`).join('\n');
  const files = {
    'openapi.yaml': `openapi: 3.1.0
info: { title: Books, version: 1.0.0 }
paths: {}
components: { schemas: { Book: { $ref: 'schemas.yaml#/Book' } } }
`,
    'schemas.yaml': `Book: ${double(0).replaceAll("'#", "'levels.yaml#")}\n`,
    'levels.yaml': `${levels}\nx-a40: { properties: { c: { type: string } } }\n`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const { problems } = await readContract(path.join(folder, 'openapi.yaml'), { name: 'openapi.yaml' });
  expect(problems.map(({ message }) => message).join('\n')).toMatch(/what is included is too large/);
});
