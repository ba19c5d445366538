import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { checkContract } from '../../src/rules/check-contract.ts';
import { completed, inOneFile, parseContract, readContract } from '@contract-kit/core/openapi';
import { fillContract } from '../../src/fill/fill-contract.ts';
import { run } from '../../src/diff/main.ts';
import { edit } from '../support/edit.ts';

/* A contract in four files that refer to each other in circles. */

const FILES = {
  'openapi.yaml': `openapi: 3.1.0
info: { title: Books, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /books: { $ref: paths/books.yaml }
  /books/{bookId}: # of one book
    get:
      operationId: getBook
      parameters: [{ $ref: 'paths/books.yaml#/x-parameters/BookId' }]
      responses:
        '200': { description: A book., content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
        '404': { $ref: '#/components/responses/Failed' }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  responses:
    Failed: { description: No., content: { application/json: { schema: { $ref: schemas/author.yaml#/Failure } } } }
  schemas:
    Book: { $ref: schemas/book.yaml }
`,
  'paths/books.yaml': `get:
  operationId: listBooks
  responses:
    '200': # all of them
      description: Books.
      content: { application/json: { schema: { type: array, items: { $ref: ../schemas/book.yaml } } } }
    4XX: { $ref: '../openapi.yaml#/components/responses/Failed' }
x-parameters:
  BookId: { name: bookId, in: path, required: true, schema: { type: string } }
`,
  'schemas/book.yaml': `type: object
required: [name]
properties:
  name: { type: string } # as it is called
  author: { $ref: 'author.yaml#/Author' }
`,
  'schemas/author.yaml': `Author:
  type: object
  properties:
    books: { type: array, items: { $ref: ../openapi.yaml#/components/schemas/Book } }
    friend: { $ref: '#/Author' }
    best: { $ref: book.yaml }
Failure: { type: object, properties: { message: { type: string } } }
`,
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'several-'));
  for (const [name, text] of Object.entries(FILES)) write(name, text);
});

function write(name: string, text: string): void {
  mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
}

const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
const contractIn = () => readContract(path.join(folder, 'openapi.yaml'), { name: 'openapi.yaml' });

function change(name: keyof typeof FILES, before: string, after: string): void {
  write(name, edit(read(name), before, after));
}

test('the published document has each component once, by its own name', async () => {
  const contract = await contractIn();
  expect(checkContract(contract)).toEqual([]);
  const { components } = parse(inOneFile(contract)) as { components: Record<string, object> };
  expect(
    Object.fromEntries(Object.entries(components).map(([name, section]) => [name, Object.keys(section)])),
  ).toEqual({
    securitySchemes: ['key'],
    responses: ['Failed'],
    schemas: ['Book', 'Author', 'Failure'],
    pathItems: ['books'],
    parameters: ['BookId'],
  });
  expect(components['schemas']).toMatchObject({
    Book: { properties: { author: { $ref: '#/components/schemas/Author' } } },
    Author: {
      properties: {
        books: { items: { $ref: '#/components/schemas/Book' } },
        best: { $ref: '#/components/schemas/Book' },
      },
    },
  });
});

test('an index of files has no component for itself', async () => {
  write('schemas/index.yaml', 'Book: { $ref: book.yaml }\nAuthor: { $ref: author.yaml#/Author }\n');
  change('paths/books.yaml', '../schemas/book.yaml', '../schemas/index.yaml#/Book');
  const { components } = parse(inOneFile(await contractIn())) as { components: Record<string, object> };
  expect(Object.keys(components['schemas'] ?? {})).toEqual(['Book', 'Author', 'Failure']);
});

test('contract:fill writes into each file what it lacks, and the published document stays the same', async () => {
  const published = async () => completed(await contractIn()).document as object;
  const before = await published();
  const filled = fillContract(await contractIn());
  expect([...filled.keys()].sort()).toEqual(['', 'paths/books.yaml']);
  for (const [name, text] of filled) write(name || 'openapi.yaml', text);
  const contract = await contractIn();
  expect(contract.problems).toEqual([]);
  expect(await published()).toEqual(before);
  expect(fillContract(contract)).toEqual(new Map());
  expect(read('paths/books.yaml')).toMatch(
    /# all of them\n[^]*\$ref: "?\.\.\/openapi\.yaml#\/components\/headers\/X-Request-Id/,
  );
  expect(read('openapi.yaml')).toMatch(/# of one book\n[^]*\$ref: "?schemas\/author\.yaml#\/Failure/);
});

/** What `npm run contract:diff` prints. */
async function diff(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const print = (text: string) => void lines.push(text);
  await run({ args, root: folder, today: '2026-12-01', out: print, err: print });
  return lines.join('\n');
}

test('contract:diff compares a contract in several files with its release, and shows changes in their files', async () => {
  write('openapi.released.yaml', inOneFile(await contractIn()));
  expect(await diff()).toContain('Nothing has changed.');
  change('schemas/author.yaml', 'friend: {', 'town: { type: string }\n    friend: {');
  expect(await diff()).toContain('Author.town: is new in responses  [schemas/author.yaml:5:5]');
});

test('contract:diff compares with several files of a commit, and of another folder', async () => {
  const identity = [
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@library.example',
    '-c',
    'commit.gpgsign=false',
  ];
  const git = (...args: string[]) =>
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
  for (const name of Object.keys(FILES)) write(path.join('old', name), read(name));
  git('init');
  git('add', '.');
  git('commit', '--message', 'Books');
  change('schemas/book.yaml', 'required: [name]', 'required: [nick]');
  change('schemas/book.yaml', '  name: { type: string }', '  nick: { type: string }');
  expect(await diff('HEAD')).toContain('Book.name: is no longer in responses  [HEAD:schemas/book.yaml:4:3]');
  expect(await diff('old/openapi.yaml')).toContain(
    'Book.name: is no longer in responses  [old/schemas/book.yaml:4:3]',
  );
});

test('a mistake is at its place in its file', async () => {
  change('schemas/book.yaml', 'author.yaml#/Author', 'author.yaml#/Auther');
  change('schemas/author.yaml', 'type: string', 'type: text');
  const problems = checkContract(await contractIn());
  expect(problems).toMatchObject([
    { file: 'schemas/book.yaml', line: 5, column: 19 },
    { file: 'schemas/author.yaml', line: 7, column: 57 },
  ]);
});

test('the mistakes of a file that cannot be read as YAML are at their places in it', async () => {
  change('schemas/book.yaml', 'required: [name]', 'type: [name');
  expect(checkContract(await contractIn())).toMatchObject([
    { file: 'schemas/book.yaml', line: 2, column: 1 },
    { file: 'schemas/book.yaml', line: 3 },
  ]);
});

test.each([
  ['..', (outside: string) => `../${path.basename(outside)}/other.yaml`],
  ['a link', () => 'linked.yaml'],
  ['a link to a folder', () => 'linked/other.yaml'],
])('no file outside the folder is read, of a commit neither: %s', async (_way, referenceTo) => {
  const outside = mkdtempSync(path.join(tmpdir(), 'outside-'));
  writeFileSync(path.join(outside, 'other.yaml'), 'type: string\n');
  symlinkSync(path.join(outside, 'other.yaml'), path.join(folder, 'linked.yaml'));
  symlinkSync(outside, path.join(folder, 'linked'));
  change('openapi.yaml', 'schemas/book.yaml', referenceTo(outside));
  const { problems } = await contractIn();
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('leads out of the folder of the contract'),
  ]);
  expect(await diff('openapi.yaml')).toContain('leads out of the folder of the contract');
});

test('a contract in one file is released as it was written', () => {
  const text = '# mine\nopenapi: 3.0.0\ninfo: { title: A, version: 1.0.0 }\npaths: {}\n';
  expect(inOneFile(parseContract(text))).toBe(text);
});

/** The contract above, with references where OpenAPI has none, as other tools follow them. */
const INCLUDED = {
  'openapi.yaml': `openapi: 3.1.0
info: { $ref: info.yaml }
security: [{ key: [] }]
paths: { $ref: paths/index.yaml }
components: { $ref: components/index.yaml }
`,
  'info.yaml': '{ title: Books, version: 1.0.0 }\n',
  'paths/index.yaml': `/books:
  get: { $ref: list.yaml, tags: [books] }
/books/{bookId}:
  get: { $ref: get.yaml }
`,
  'paths/list.yaml': `operationId: listBooks
responses: { $ref: responses.yaml }
`,
  'paths/get.yaml': `operationId: getBook
parameters: { $ref: 'responses.yaml#/x-parameters' }
responses: { $ref: responses.yaml }
`,
  'paths/responses.yaml': `'200': { description: Books., content: { $ref: content.yaml } }
x-parameters: [{ name: bookId, in: path, required: true, schema: { type: string } }]
`,
  'paths/content.yaml': 'application/json: { schema: { $ref: ../components/schemas.yaml#/Book } }\n',
  'components/index.yaml': `securitySchemes: { key: { type: http, scheme: bearer } }
schemas: { $ref: schemas.yaml }
`,
  'components/schemas.yaml': `Book: { type: object, required: [name], properties: { $ref: properties.yaml } }
Author: { type: object, properties: { name: { type: string }, books: { type: array, items: { $ref: '#/Book' } } } }
`,
  'components/properties.yaml': `name: { type: string }
author: { $ref: schemas.yaml#/Author }
`,
};

describe('references where OpenAPI has none', () => {
  beforeEach(() => {
    for (const [name, text] of Object.entries(INCLUDED)) write(name, text);
  });

  test('lead to what takes their place', async () => {
    const contract = await contractIn();
    expect(checkContract(contract)).toEqual([]);
    const book = { $ref: '#/components/schemas/Book' };
    const responses = { 200: { content: { 'application/json': { schema: book } } } };
    expect(contract.document).toMatchObject({
      info: { title: 'Books' },
      paths: {
        '/books': { get: { operationId: 'listBooks', tags: ['books'], responses } },
        '/books/{bookId}': { get: { operationId: 'getBook', parameters: [{ name: 'bookId' }], responses } },
      },
      components: {
        schemas: {
          Book: { properties: { name: {}, author: { $ref: '#/components/schemas/Author' } } },
          Author: { properties: { books: { items: book } } },
        },
      },
    });
    const { components } = contract.document as { components: Record<'schemas', object> };
    expect(Object.keys(components.schemas)).toEqual(['Book', 'Author']);
    expect(contract.remarks).toContainEqual(
      expect.objectContaining({
        file: 'paths/get.yaml',
        line: 3,
        column: 20,
        message: 'OpenAPI has no reference here: what it leads to takes its place',
      }),
    );
  });

  test('do not hide the place of a mistake', async () => {
    write('components/properties.yaml', 'name: { type: text }\nauthor: { $ref: schemas.yaml#/Auther }\n');
    expect(checkContract(await contractIn())).toMatchObject([
      { file: 'components/properties.yaml', line: 1, column: 15 },
      { file: 'components/properties.yaml', line: 2, column: 17 },
    ]);
  });

  test('are filled in once, in their files', async () => {
    const published = async () => completed(await contractIn()).document as object;
    const before = await published();
    for (const [name, text] of fillContract(await contractIn())) write(name || 'openapi.yaml', text);
    const contract = await contractIn();
    expect(contract.problems).toEqual([]);
    expect(await published()).toEqual(before);
    expect(fillContract(contract)).toEqual(new Map());
  });

  test.each([
    ['itself', 'paths/get.yaml', '$ref: get.yaml\n', /leads back to itself/],
    ['what has it', 'paths/get.yaml', 'responses: { $ref: get.yaml }\n', /leads back to itself/],
    [
      'one that leads to it',
      'paths/content.yaml',
      '$ref: responses.yaml#/200/content\n',
      /leads back to itself/,
    ],
    ['no file', 'paths/get.yaml', 'responses: { $ref: none.yaml }\n', /there is no such file/],
    ['out of the folder', 'paths/get.yaml', '{ $ref: ../../get.yaml }\n', /leads out of the folder/],
  ])('are rejected at their place if they lead to %s', async (_what, name, text, reason) => {
    write(name, text);
    const { problems } = await contractIn();
    expect(problems[0]?.message).toMatch(reason);
  });

  test('are left out with a remark where they document', async () => {
    write('info.yaml', 'Books\n');
    const { problems, remarks } = await contractIn();
    expect(problems).toEqual([]);
    expect(remarks[0]?.message).toMatch(/is left out.*leads to nothing/);
  });

  test('cannot make a document that is too large to read', async () => {
    const double = (item: number) =>
      `{ properties: { a: { properties: { $ref: '#/x-a${item}/properties' } }, b: { properties: { $ref: '#/x-a${item}/properties' } } } }`;
    const levels = Array.from({ length: 40 }, (_, item) => `x-a${item}: ${double(item + 1)}`).join('\n');
    write('components/schemas.yaml', `Book: ${double(0).replaceAll("'#", "'../levels.yaml#")}\n`);
    write('levels.yaml', `${levels}\nx-a40: { properties: { c: { type: string } } }\n`);
    const { problems } = await contractIn();
    expect(problems.map(({ message }) => message).join('\n')).toMatch(/what is included is too large/);
  });
});

test('a reference in another file to a part of the contract is followed, and a remark says what to write', async () => {
  const { document } = (await contractIn()) as { document: object };
  change('schemas/author.yaml', '../openapi.yaml#/components/schemas/Book', "'#/components/schemas/Book'");
  const contract = await contractIn();
  expect([contract.problems, contract.document]).toEqual([[], document]);
  expect(contract.remarks[0]?.message).toContain('write ../openapi.yaml#/components/schemas/Book');
});

test('references may begin with the address that the document gives itself (OpenAPI 3.2 §4.1.1)', async () => {
  const plain = await contractIn();
  const self = 'https://books.example/api/books.yaml';
  for (const [name, text] of Object.entries(FILES))
    write(
      name,
      text
        .replaceAll('../openapi.yaml#', `${self}#`)
        .replaceAll('schemas/author.yaml#', 'https://books.example/api/schemas/author.yaml#')
        .replaceAll("$ref: '#/components/schemas/Book'", "$ref: 'books.yaml#/components/schemas/Book'")
        .replace('openapi: 3.1.0', `openapi: 3.2.0\n$self: ${self}`),
    );
  const contract = await contractIn();
  expect(contract.problems).toEqual([]);
  expect(contract.document).toEqual({ ...(plain.document as object), openapi: '3.2.0', $self: self });
});
