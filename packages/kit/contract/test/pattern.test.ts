import { patternOf } from '../src/pattern.ts';

test.each(['^[a-z]+$', '.*a.*b', '^[a-z]+(-[a-z]+)*$'])(
  '%s matches as its regular expression does',
  (pattern) => {
    for (const text of ['a-b', 'ab', '', 'a'.repeat(200), `${'a'.repeat(200)}b`])
      expect([text, patternOf(pattern).test(text)]).toEqual([text, new RegExp(pattern, 'u').test(text)]);
  },
);

test('a pattern of quadratic time rejects a long text, and shorter ones that take too long in one turn', async () => {
  const shape = patternOf('a.*b$');
  const text = `${'a'.repeat(1_300)}b`;
  expect([shape.test('a'.repeat(3_000) + 'b'), shape.test('ab')]).toEqual([false, false]);
  await new Promise(setImmediate);
  expect(Array.from({ length: 4 }, () => shape.test(text))).toEqual([true, true, false, false]);
  expect(patternOf('^[a-z]+b$').test(text)).toBe(true);
});
