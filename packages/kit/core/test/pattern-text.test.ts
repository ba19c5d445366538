import { textMatching } from '../src/pattern-text.ts';

test.each([
  ['^[0-9]{13}$', '1111111111111'],
  ['^@[0-9]+$', '@1'],
  ['^[A-Z]{2}\\d{2}[A-Z0-9]{1,30}$', 'AA11A'],
  ['^(foo|bar)-[^a-z]+?$', 'foo-A'],
  ['^(?<year>\\d{4})-(0[1-9]|1[0-2])$', '1111-01'],
  ['^https?://.+', 'http://a'],
  ['^\\p{Lu}\\p{Ll}+$', 'Aa'],
  ['^[\\u4e00-\\u9fa5]$', '你'],
  ['^\\x41[☕]\\/$', 'A☕/'],
  // FastAPI writes this for each Decimal.
  ['^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$', '+01.1'],
])('a text matches %s', (pattern, text) => {
  expect(textMatching(pattern)).toBe(text);
  expect(text).toMatch(new RegExp(pattern, 'u'));
});

test.each([
  ['^[a-z]*$', 5, undefined, 'aaaaa'],
  ['^([a-z0-9]+[-_]?)+$', 5, 8, 'aaaaa'],
  ['abc', 8, undefined, 'abcaaaaa'],
  ['^[a-z]{2,}$', 0, 2, 'aa'],
])('a text that matches %s has at least %s and at most %s characters', (pattern, least, most, text) => {
  expect(textMatching(pattern, least, most)).toBe(text);
});

test.each([['^(?!)'], ['^(\\w+)-\\1$'], ['[a-z'], ['^a{1001}$']])('no text is made for %s', (pattern) => {
  expect(textMatching(pattern)).toBeUndefined();
});
