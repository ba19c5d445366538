import { bodyKindOf } from '../../src/http/media-type.ts';

test.each([
  ['application/problem+json', 'json'],
  ['multipart/form-data; boundary=a', 'form'],
  ['text/csv', 'text'],
  ['application/yaml', 'text'],
  // Its name before RFC 9512.
  ['application/x-yaml', 'text'],
  ['application/vnd.library+yaml', 'text'],
  ['application/octet-stream', 'bytes'],
] as const)('a body of %s is %s', (type, kind) => {
  expect(bodyKindOf(type)).toBe(kind);
});
