import { patternOf } from '../../src/json/pattern.ts';

test.each([
  ...[
    '^[a-z]+$',
    '.*a.*b',
    '^[a-z]+(-[a-z]+)*$',
    '^(?!b)[a-z]+$',
    '^\\S+\\s*\\S+$',
    '^(.|-)+$',
    '^([\\s\\]]|[^\\S.])+$',
  ],
  ...[
    '^(\\u00e9|\\x41|\\/)+$',
    '^(\\p{Lu}|[[b])+$',
    '(\\bab|[\\b])',
    '^(a|\\A)+$',
    '([]|a)+',
    '(a)\\1+',
    '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$',
    '^(?=.*[a-z])(?!.*(-|\\))).{1,3}$',
    '^(?!a|b)[ab]|b$',
    '^(?=[^)]*b)(?!(a))[^A]*$',
    '^(\\ud83d.)+$',
  ],
])('%s matches what its regular expression in JavaScript does', (pattern) => {
  const shape = /\\A/.test(pattern) ? new RegExp(pattern) : new RegExp(pattern, 'u');
  const texts = [
    'a-b',
    'ab',
    '',
    'a'.repeat(200),
    `${'a'.repeat(200)}b`,
    'aa',
    'A',
    '\u00e9A/',
    '[b',
    '\b',
    '\ud83d\ude00',
  ];
  const spaces = ['\n', '\u2028', 'a\u00a0b', ' ]\ufeff', '\u180e', 'a\tb'];
  for (const text of [...texts, ...spaces])
    expect([text, patternOf(pattern).test(text)]).toEqual([text, shape.test(text)]);
});

test.each([
  '^(a+)+$',
  '^(a|aa)+$',
  '^(\\w{1,30} ?){1,30}$',
  '(<(.*)?>,)*>',
  '^(.*?,){11}P',
  '.*a.*b',
  '.+@.+\\..+',
  '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$',
  '^(?=.*a)(?=.*@)(a+)+$',
])('%s is tested in linear time, however a text is written', (pattern) => {
  const shape = patternOf(pattern);
  const texts = ['a', 'a ', '<>,', ',', 'a@a.', '0'].map((part) => `${part.repeat(20_000)}!`);
  expect(texts.map((text) => shape.test(text))).toEqual(texts.map(() => expect.any(Boolean) as boolean));
});
