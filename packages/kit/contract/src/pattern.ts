import type { analyse } from 'scslre';

/** What matching the texts of one value, such as a body, may cost, in steps of backtracking: some 20 ms. */
const MOST_STEPS = 2_000_000;

/** Of a repetition that was accepted although what it repeats has no fixed length. */
const MOST_ROUNDS = 10;

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
 * that would hold up the event loop: in quadratic time, a text of more than 2,000 characters does not match.
 */
export function patternOf(pattern: string): Pick<RegExp, 'test'> {
  const shape = regularExpression(pattern);
  if (isLinear(pattern)) return shape;
  // Quadratic until it is analysed: a start does not wait for the analysis to be loaded.
  let degree = 2;
  void import('./analyse.ts').then(({ analyse }) => (degree = degreeOf(analyse(shape))));
  let spent = 0;
  return {
    test(text) {
      if (degree === 1) return shape.test(text);
      // A value is checked at once: the next one is another request's.
      if (spent === 0) queueMicrotask(() => (spent = 0));
      spent += stepsOf(text.length, degree);
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

/** The degree of the polynomial that bounds the time which a text takes. */
function degreeOf({ reports }: ReturnType<typeof analyse>): number {
  const types = reports.map(({ type }) => type);
  const [pairs, loops] = ['Trade', 'Self'].map((type) => types.filter((item) => item === type).length);
  // Each pair of the repetitions that follow each other is reported.
  const inTurn = Math.ceil((1 + Math.sqrt(1 + 8 * (pairs ?? 0))) / 2);
  // A pattern without ^ is tried from each character on.
  return inTurn + (loops ? MOST_ROUNDS : 0) + Number(types.includes('Move'));
}

/** In how many ways so many characters can be split into `degree` parts, about. */
function stepsOf(length: number, degree: number): number {
  let steps = 1;
  for (let part = 1; part <= degree; part += 1) steps *= length / part;
  return steps;
}
