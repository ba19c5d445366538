import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseContract, readContract, type Pointer } from '@contract-kit/core/openapi';

const TEXT = `openapi: 3.1.0
x-error-codes: { a: { status: 400, description: A. }, b: { status: 400, description: B. } }
components:
  schemas: { Error: { properties: { code: { type: string } } } }
first: &first
  deep: [{ wrong: 1 }]
second: *first
`;

const placeOf = (...pointer: Pointer) => parseContract(TEXT).problemAt(pointer, '');

test('resolves YAML aliases, and reports a mistake in one at its source', () => {
  expect(parseContract(TEXT).document).toMatchObject({ second: { deep: [{ wrong: 1 }] } });
  expect(placeOf('second', 'deep', 0, 'wrong')).toMatchObject({ line: 6, column: 19 });
  expect(placeOf('second')).toMatchObject({ line: 7, column: 1 });
});

test('rejects a contract of many megabytes before reading it', () => {
  expect(() => parseContract(`${TEXT}#${'x'.repeat(50_000_000)}`)).toThrow(/:1:1: too large/);
});

test('an alias may be used any number of times', () => {
  const many = Array.from({ length: 200 }, (_, index) => `x-${index}: *first`);
  expect(parseContract(TEXT + many.join('\n')).document).toHaveProperty('x-199');
});

test('the values of `code` follow from the error codes', () => {
  expect(parseContract(TEXT).document).toMatchObject({
    components: { schemas: { Error: { properties: { code: { 'x-extensible-enum': ['a', 'b'] } } } } },
  });
});

test('a contract of 3.1 may still say nullable, also of a schema without a type', () => {
  const text = `openapi: 3.1.0
components: { schemas: { Error: { properties: { a: { type: string, nullable: true }, b: { nullable: true, anyOf: [{}] } } } } }`;
  const { document } = parseContract(text) as { document: { components: object } };
  expect(document.components).toHaveProperty('schemas.Error.properties', {
    a: { type: ['string', 'null'] },
    b: { anyOf: [{ anyOf: [{}] }, { type: 'null' }] },
  });
});

test('the mapping of a discriminator leads where its branches lead, in any file', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'works-'));
  const branches = (book: string, film: string) =>
    `{ oneOf: [{ $ref: '${book}' }, { $ref: '${film}' }], discriminator: { propertyName: is, mapping: { c: '${book}', d: '${film}' } } }`;
  writeFileSync(
    path.join(folder, 'works.yaml'),
    `Work: ${branches('#/Book', 'film.yaml')}\nBook: { type: object }\n`,
  );
  writeFileSync(path.join(folder, 'film.yaml'), 'type: object\n');
  const file = path.join(folder, 'openapi.yaml');
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Works, version: '1' }
paths: {}
components: { schemas: { Work: { $ref: 'works.yaml#/Work' }, Other: ${branches('./works.yaml#/Book', './film.yaml')} } }
`,
  );
  const contract = await readContract(file);
  for (const name of ['Work', 'Other']) {
    expect(contract.document).toMatchObject({
      components: {
        schemas: {
          [name]: {
            oneOf: [{ $ref: '#/components/schemas/Book' }, { $ref: '#/components/schemas/film' }],
            discriminator: { mapping: { c: '#/components/schemas/Book', d: '#/components/schemas/film' } },
          },
        },
      },
    });
  }
});
