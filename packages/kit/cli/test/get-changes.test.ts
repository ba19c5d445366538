import { parseContract } from '@contract-kit/core/openapi';
import { remarksOn } from '../src/rules/check-contract.ts';

const remarksFor = (path: string, operationId: string, place = 'cookie', method = 'get') =>
  remarksOn(
    parseContract(`openapi: 3.1.0
info: { title: Notes, version: '1' }
security: [{ key: [] }]
paths:
  ${path}:
    ${method}:
      operationId: ${operationId}
      responses: { '204': { description: Done. } }
components: { securitySchemes: { key: { type: apiKey, in: ${place}, name: sid } } }
`),
  ).map(({ line, message }) => [line, message.replace(/, and other sites can .*: write post, .*/, '')]);

test.each([
  ['/notes', 'deleteNotes', 7],
  ['/out', 'logOut', 7],
  ['/out', 'sign_out', 7],
  ['/out', 'NotesController_removeAll', 7],
  ['/notes', 'doCancelNote', 7],
  ['/log-out', 'leave', 6],
  ['/notes/delete', 'go', 6],
  ['/notes/deleteAll', 'go', 6],
])('remarks on a GET whose name says that it changes something: %s %s', (path, id, line) => {
  const what = line === 7 ? `the operationId ${id}` : 'its path';
  expect(remarksFor(path, id)).toEqual([[line, `GET ${path}: ${what} says that it changes something`]]);
});

test.each([
  ['/notes', 'listDeletedNotes'],
  ['/updates', 'listUpdates'],
  ['/add-ons', 'getAddOns'],
  ['/books', 'settings'],
  ['/notes/edit', 'getEditForm'],
])('has no remark on %s %s', (path, id) => {
  expect(remarksFor(path, id)).toEqual([]);
});

test('has no remark without cookies, or on another method', () => {
  expect(remarksFor('/notes', 'deleteNotes', 'header')).toEqual([]);
  expect(remarksFor('/notes', 'deleteNotes', 'cookie', 'delete')).toEqual([]);
});
