import { analyse } from 'scslre';

/** What matching the texts of one turn of the event loop may cost, in steps of backtracking: some 40 ms. */
const MOST_STEPS = 20_000_000;
/** More tell nothing. */
const MOST_REPORTS = 3;

/** Many patterns escape a character that needs no escape, such as `\\-`: the flag u forbids that. */
export function regularExpression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

/**
 * What tests texts for a pattern of the contract. One that backtracks in polynomial time, such as `.*a.*b`, takes none
 * that would hold up the event loop: in quadratic time, a text of more than 4,472 characters does not match.
 */
export function patternOf(pattern: string): Pick<RegExp, 'test'> {
  const shape = regularExpression(pattern);
  const degree = isLinear(pattern) ? 1 : 1 + analyse(shape, { maxReports: MOST_REPORTS }).reports.length;
  if (degree === 1) return shape;
  let spent = 0;
  return {
    test(text) {
      if (spent === 0) setImmediate(() => (spent = 0));
      spent += text.length ** degree;
      return spent <= MOST_STEPS && shape.test(text);
    },
    toString: () => String(shape),
  } as Pick<RegExp, 'test'>;
}
// For code that is compiled into modules, which nothing here is.
patternOf.code = 'new RegExp';

/** What needs no analysis: without repetition, or one set of characters repeated between both ends. */
function isLinear(pattern: string): boolean {
  return !/[*+]|\{\d+,/.test(pattern) || /^\^[^()|*+?{}]*(\[[^\]]*\]|\\?.)[*+]\$$/.test(pattern);
}
