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

/** Types of TypeScript that are no values of JavaScript. */
const TYPES = [
  ...['AsyncGenerator', 'AsyncIterable', 'Awaited', 'Exclude', 'Extract', 'Iterable', 'NonNullable', 'Omit'],
  ...['Parameters', 'Partial', 'Pick', 'PromiseLike', 'Readonly', 'Record', 'Required', 'ReturnType'],
];

test('a schema may have the name of any type or value of JavaScript and TypeScript', async () => {
  const globals = Object.getOwnPropertyNames(globalThis).filter((name) => /^[A-Z]\w*$/.test(name));
  const names = [...new Set([...globals, ...TYPES])];
  expect(names).toEqual(expect.arrayContaining(['Date', 'Error', 'Map']));
  const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const content = (body: object) => ({ content: { 'application/json': { schema: body } } });
  const paths = names.map((name): [string, object] => [
    `/${name}`,
    {
      get: {
        responses: { 200: { description: 'All.', ...content({ type: 'array', items: schema(name) }) } },
      },
      post: {
        requestBody: content(schema(name)),
        responses: { 200: { description: 'One.', ...content(schema(name)) } },
      },
    },
  ]);
  const schemas = names.map((name): [string, object] => [
    name,
    { type: 'object', properties: { next: schema(name) } },
  ]);
  const file = path.join(newFolder(), 'names.json');
  const contract = {
    openapi: '3.1.0',
    info: { title: 'Names', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  };
  writeFileSync(file, JSON.stringify(contract));
  expect((await checkFile(file)).lines).toEqual([expect.stringContaining(': works')]);
});

test('a contract that works is followed by remarks on what is ignored, each with its place', async () => {
  expect(
    await check(
      '{ type: object, required: [reason], properties: { reason: { type: string }, at: { type: string, format: datetime } } }',
    ),
  ).toEqual([
    true,
    [
      'shop.yaml: works (open to everyone: it has no security)',
      'shop.yaml:8:179: the format datetime is not known: did you mean date-time?',
    ],
  ]);
});
