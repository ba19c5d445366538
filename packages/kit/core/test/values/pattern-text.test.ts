import { textMatching, textsMatching } from '../../src/values/pattern-text.ts';

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
  ['^(\\w{2})-\\1(?<end>[)\\]])\\k<end>$', 'aa-aa))'],
  // Lookaheads, as for passwords.
  ['^(?=.*foo).{5,}$', expect.stringMatching(/^(?=.*foo).{5,}$/)],
  ['^(?=[^_]*_[^_]*$)[a-z_]+$', expect.stringMatching(/^(?=[^_]*_[^_]*$)[a-z_]+$/)],
  ['^(?!admin$|aaaa?$)[a-z]{3,5}$', 'aaaaa'],
  // FastAPI writes this for each Decimal.
  ['^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$', '+01.1'],
])('a text matches %s', (pattern, text) => {
  expect(textMatching(pattern)).toEqual(text);
  expect(textMatching(pattern)).toMatch(new RegExp(pattern, 'u'));
});

test.each([
  ['^[a-z]*$', 5, undefined, 'aaaaa'],
  ['^([a-z0-9]+[-_]?)+$', 5, 8, 'aaaaa'],
  ['abc', 8, undefined, 'abcaaaaa'],
  ['^[a-z]{2,}$', 0, 2, 'aa'],
  ['^[0-9a-f:-]+$', 12, 20, 'aaaaaaaaaaaa'],
  ['^\\S+@\\S+\\.\\S+$', 10, 254, 'a@a.aaaaaa'],
  ['^[A-Z]$|^[a-z]{3}$', 2, undefined, expect.stringMatching(/^[a-z]{3}$/)],
  ['^#?([a-f]{6}|[a-f]{3})$', 7, 7, '#aaaaaa'],
  // Of one alternative alone it cannot be.
  ['^(aaa|bbbb)+$', 7, 7, expect.stringMatching(/^(aaabbbb|bbbbaaa)$/)],
  [
    '^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?=.*[@$!%*?&])[A-Za-z\\d@$!%*?&]{8,}$',
    8,
    64,
    expect.stringMatching(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&]).{8,64}$/),
  ],
])('a text that matches %s has at least %s and at most %s characters', (pattern, least, most, text) => {
  expect(textMatching(pattern, least, most)).toEqual(text);
});

test.each([['^(?!)'], ['[a-z'], ['^a{1001}$'], ['^a(?=b)c$']])('no text is made for %s', (pattern) => {
  expect(textMatching(pattern)).toBeUndefined();
});

test.each([
  ['^[a-z]+$', 4, 8],
  ['^x-', 0, 30],
  ['^(?=.*\\d)(?=.*[A-Z])\\w{6,}$', 8, 20],
])('many different texts match %s', (pattern, least, most) => {
  const texts = new Set(textsMatching(pattern, least, most));
  expect(texts.size).toBeGreaterThan(20);
  for (const text of texts) {
    expect(text).toMatch(new RegExp(pattern));
    expect(text.length).toBeGreaterThanOrEqual(least);
    expect(text.length).toBeLessThanOrEqual(most);
  }
});
