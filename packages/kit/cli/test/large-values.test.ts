import { runInNewContext } from 'node:vm';
import { dataLiteral, literal } from '../src/generate/emit.ts';

test.each([
  ['a small one', { a: [1, '`${x}` \\ \n "'] }],
  [
    'a large one',
    { a: Array.from({ length: 20_000 }, () => '`${x}` \\ \n \\u0041 "' + 'x'.repeat(40)), '`$': '$&' },
  ],
])('the source of %s has the value', (_, value) => {
  const source = dataLiteral(value);
  const code = source.replace(/ as never$/, '');
  expect(runInNewContext(`(${code.replace('/* @__PURE__ */ ', '')})`)).toEqual(value);
  expect(source === literal(value)).toBe(source.length < 1_000_000);
});
