import type { analyse } from 'scslre';

/** The most steps of backtracking for the texts of one value, such as a body: about 20 ms. */
const MOST_STEPS = 2_000_000;

/** The degree of an accepted repetition whose inside has no fixed length. */
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
 * Tests texts for a pattern of the contract. A pattern that backtracks in polynomial time, such as `.*a.*b`, rejects texts
 * that would block the event loop: in quadratic time, those above 2,000 characters.
 */
export function patternOf(pattern: string): Pick<RegExp, 'test'> {
  const shape = regularExpression(pattern);
  if (isLinear(pattern)) return shape;
  // Quadratic until it is analysed: the start does not wait until the analysis is loaded.
  let degree = 2;
  void import('./analyse.ts').then(({ analyse }) => (degree = degreeOf(analyse(shape))));
  let spent = 0;
  return {
    test(text) {
      if (degree === 1) return shape.test(text);
      // A value is checked in one turn of the event loop.
      if (spent === 0) queueMicrotask(() => (spent = 0));
      spent += stepsOf(text.length, degree);
      return spent <= MOST_STEPS && shape.test(text);
    },
    toString: () => String(shape),
  } as Pick<RegExp, 'test'>;
}
// Ajv needs this only for standalone code.
patternOf.code = 'new RegExp';

/** Whether it needs no analysis: no repetition, or one set of characters repeated between both ends. */
function isLinear(pattern: string): boolean {
  return !/[*+]|\{\d+,/.test(pattern) || /^\^[^()|*+?{}]*(\[[^\]]*\]|\\?.)[*+]\$$/.test(pattern);
}

/** The degree of the polynomial that bounds the time for a text. */
function degreeOf({ reports }: ReturnType<typeof analyse>): number {
  const types = reports.map(({ type }) => type);
  const [pairs, loops] = ['Trade', 'Self'].map((type) => types.filter((item) => item === type).length);
  // Each pair of the repetitions that follow each other is reported.
  const inTurn = Math.ceil((1 + Math.sqrt(1 + 8 * (pairs ?? 0))) / 2);
  // A pattern without ^ is tried from each character on.
  return inTurn + (loops ? MOST_ROUNDS : 0) + Number(types.includes('Move'));
}

/** About the number of ways to split the characters into `degree` parts. */
function stepsOf(length: number, degree: number): number {
  let steps = 1;
  for (let part = 1; part <= degree; part += 1) steps *= length / part;
  return steps;
}
