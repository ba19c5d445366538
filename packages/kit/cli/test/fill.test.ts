import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contractOf, parseContract } from '@contract-kit/core/openapi';
import { fillContract } from '../src/fill/fill-contract.ts';
import { contractFile } from '../src/workspace.ts';

const NAMES = { name: 'library', keyPrefix: 'lib_', databaseFile: 'store.db' };
const published = (text: string) => contractOf(parseContract(text), NAMES).document;
const fill = (text: string) => fillContract(parseContract(text)).get('') ?? text;
const read = (name: string) =>
  readFileSync(path.join(import.meta.dirname, '../../../test-support/kitchen-sink', name), 'utf8');
const commentsIn = (text: string) => text.match(/^ *# .*/gm);

test.each(['openapi.yaml', 'open.yaml', 'newest.yaml'])(
  'writes what the pipeline adds into %s once, and the public document stays the same',
  (name) => {
    const text = read(name);
    const filled = fill(text);
    expect(filled).not.toBe(text);
    expect(published(filled)).toEqual(published(text));
    expect(commentsIn(filled)).toEqual(commentsIn(text));
    expect(fill(filled)).toBe(filled);
  },
);

test('adds one schema for the errors of all operations if the contract has none', () => {
  const text = `openapi: 3.1.0
info: { title: Books, version: 1.0.0 }
paths:
  /books:
    get: { responses: { '200': { description: The books. } } }
    put: { responses: { '204': { description: Replaced. } } }
`;
  expect(published(text)['components']).toMatchObject({ schemas: { PipelineError: {} } });
  expect(fill(text).match(/PipelineError\d*:/g)).toEqual(['PipelineError:']);
});

test('writes an object out that is merged, and changes no other that merges it', () => {
  const text = `openapi: 3.1.0
info: { title: Books, version: 1.0.0 }
x-common: &common
  responses: { '200': { description: The books. } }
paths:
  /books:
    get:
      <<: *common
      operationId: listBooks
    put:
      <<: [*common, { operationId: replaceBooks }]
      requestBody: { content: { text/plain: { schema: { type: string } } } }
`;
  expect(published(text)).toMatchObject({
    paths: {
      '/books': { put: { operationId: 'replaceBooks', responses: { 200: { description: 'The books.' } } } },
    },
  });
  const filled = fill(text);
  expect(published(filled)).toEqual(published(text));
  expect(filled).toContain("x-common: &common\n  responses: { '200': { description: The books. } }\n");
  expect(fill(filled)).toBe(filled);
});

test('refers to responses that list the codes, and does not repeat the codes in the schema', () => {
  const text = read('openapi.yaml');
  const filled = fill(text);
  const refusals = /^ +"(400|401|429|500|503)":\n +\$ref: .*\n/gm;
  expect(filled).toMatch(refusals);
  expect(published(fill(filled.replace(refusals, '')))).toEqual(published(filled));
  const openLists = (contract: string) => contract.match(/x-extensible-enum/g);
  expect(openLists(filled)).toEqual(openLists(text));
});

test('does not change a complete contract', () => {
  const text = readFileSync(contractFile, 'utf8');
  const filled = fill(text);
  expect(fill(filled)).toBe(filled);
  expect(published(filled)).toEqual(published(text));
});

test('an operation that takes an Idempotency-Key declares its errors, with their codes', () => {
  expect(published(read('openapi.yaml'))).toMatchObject({
    paths: {
      '/books': {
        post: {
          responses: {
            409: { $ref: '#/components/responses/Conflict' },
            422: { $ref: '#/components/responses/UnprocessableEntity' },
          },
        },
      },
    },
    components: {
      responses: {
        Conflict: { 'x-error-codes': ['idempotency_key_in_use', 'idempotency_response_missing'] },
        UnprocessableEntity: { 'x-error-codes': ['idempotency_key_reused'] },
      },
    },
    'x-error-codes': { idempotency_key_reused: { status: 422 } },
  });
});

test('adds codes of the pipeline to those that a response lists', () => {
  const text = `openapi: 3.1.0
info: { title: Books, version: 1.0.0 }
x-error-codes: { sold: { status: 409, description: Somebody was faster. } }
paths:
  /books:
    post:
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]
      responses:
        '204': { description: Bought. }
        '409':
          description: It is sold.
          x-error-codes: [sold]
          content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } }
components:
  schemas:
    Error:
      type: object
      required: [code, message, status]
      properties: { code: { type: string }, message: { type: string }, status: { type: integer } }
`;
  const codes = ['sold', 'idempotency_key_in_use', 'idempotency_response_missing'];
  const completed = { paths: { '/books': { post: { responses: { 409: { 'x-error-codes': codes } } } } } };
  expect(published(text)).toMatchObject(completed);
  expect(published(fill(text))).toEqual(published(text));
});
