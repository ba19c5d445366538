import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contractOf } from '../src/generate/contract-value.ts';
import { fillContract } from '../src/fill/fill-contract.ts';
import { parseContract } from '../src/source-document.ts';
import { contractFile } from '../src/workspace.ts';

const NAMES = { name: 'library', keyPrefix: 'lib_', databaseFile: 'store.db' };
const published = (text: string) => contractOf(parseContract(text), NAMES).document;
const fill = (text: string) => fillContract(parseContract(text), text);
const read = (name: string) => readFileSync(path.join(import.meta.dirname, 'kitchen-sink', name), 'utf8');
const commentsIn = (text: string) => text.match(/^ *# .*/gm);

test.each(['openapi.yaml', 'open.yaml'])(
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
