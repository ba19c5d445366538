import { acceptedType } from '../src/http/choose-type.ts';

const TYPES = ['application/json', 'text/csv', 'application/pdf'] as const;

test.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/csv', 'text/csv'],
  ['TEXT/CSV;charset=utf-8', 'text/csv'],
  ['text/*', 'text/csv'],
  ['application/json;q=0.5, application/pdf', 'application/pdf'],
  ['application/json;q=0.5,text/csv; q=0.7,application/pdf;q=0.6', 'text/csv'],
  ['*/*;q=0.1, application/pdf', 'application/pdf'],
  // The narrowest range counts (RFC 9110 §12.5.1).
  ['application/*, application/json;q=0.1, text/csv;q=0.2', 'application/pdf'],
  ['*/*, application/json;q=0', 'text/csv'],
  ['application/*;q=0, */*;q=0.1', 'text/csv'],
  ['image/png', undefined],
  ['image/png, */*;q=0', undefined],
])('Accept: %s prefers %s', (accept, type) => {
  expect(acceptedType(accept, TYPES)).toBe(type);
});
