import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '@kit/server/testing';
import { checkFile } from '../src/check-file.ts';

/** What `npm run contract:check` prints for a contract with this schema of its errors, and whether it works. */
async function check(error: string): Promise<[works: boolean, lines: string[]]> {
  const file = path.join(newFolder(), 'shop.yaml');
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /items:
    get:
      responses:
        '200': { description: Items., content: { application/json: { schema: { type: array, items: {} } } } }
        '4XX': { description: No., content: { application/json: { schema: ${error} } } }
      deprecated: true
      x-deprecated-since: '2026-11-01'
    trace: { responses: { '204': { description: Nothing. } } }
`,
  );
  const { works, lines } = await checkFile(file);
  return [works, lines.map((line) => line.replace(file, 'shop.yaml'))];
}

test('a contract works if it can be generated from, compiles and is served as declared', async () => {
  expect(
    await check('{ type: object, required: [reason], properties: { reason: { type: string } } }'),
  ).toEqual([true, ['shop.yaml: works (open to everyone: it has no security)']]);
});

test('a declared error that no error of the server fits is refused with its place', async () => {
  expect(
    await check('{ type: object, required: [id], properties: { id: { type: string, pattern: "^(?!)" } } }'),
  ).toEqual([
    false,
    [
      'shop.yaml:8:9: no error that the server sends fits this response: describe its errors so that they can be made',
    ],
  ]);
});
