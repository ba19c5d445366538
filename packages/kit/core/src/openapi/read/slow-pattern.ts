import { patternOf, regularExpression, type JsonObject } from '../../json/index.ts';
import { objectAt } from '../../model/index.ts';
import type { Pointer } from '../problem.ts';
import { analyse, type Report } from 'scslre';

/** A body full of texts of this length is tested in about 10 ms, if each takes quadratic time. */
const LONGEST = 100;
/** Steps that one text may take: less than 10 ms. */
const MOST_STEPS = 50_000;
/** A body full of texts of this length is tested in about 10 ms, if each part of a text is compared with the rest. */
const MOST_REPEATED = 1000;
/** A backreference to a group of any length: scslre does not count its comparisons. */
const REPEATED = /\((?:\?<\w+>)?[^()?][^()]*(?:[*+]|\{\d+,\}).*\\(?:[1-9]|k<)/;
/** A shorter bound would reject texts that the author means. */
const SHORTEST = 20;

/**
 * The most characters for which JavaScript tests `pattern` quickly: Infinity if it takes linear time, 0 if no bound
 * helps, as its time grows exponentially.
 */
export function quickLengthOf(pattern: string): number {
  if (!isPattern(pattern) || !(patternOf(pattern) instanceof RegExp)) return Infinity;
  const { reports } = analyse(regularExpression(pattern));
  if (reports.length === 0) return REPEATED.test(pattern) ? MOST_REPEATED : Infinity;
  if (reports.some(({ exponential }) => exponential)) return 0;
  const degree = degreeOf(reports);
  // Of n characters, d quantifiers share them in about n^d / d! ways.
  const length = Math.floor((MOST_STEPS * factorial(degree)) ** (1 / degree));
  return length < SHORTEST ? 0 : Math.min(length, LONGEST);
}

export function isPattern(pattern: string): boolean {
  try {
    return regularExpression(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

/** The most quantifiers that may share the same text, with the repetitions around them. */
function degreeOf(reports: readonly Report[]): number {
  const sharing = new Map<object, number>();
  for (const report of reports) {
    if (report.type === 'Trade')
      for (const quantifier of [report.startQuant, report.endQuant])
        sharing.set(quantifier, sharing.get(quantifier) ?? 1);
    else if (report.type === 'Self') sharing.set(report.quant, report.parentQuant.max);
  }
  const shared = [...sharing.values()].reduce((sum, count) => sum + count, 0);
  // Without an anchor a match is tried at every character.
  return reports.some(({ type }) => type === 'Move') ? Math.max(1, shared) + 1 : shared;
}

const factorial = (count: number): number => (count < 2 ? 1 : count * factorial(count - 1));

/** Bounds texts for patterns that take polynomial time. */
export function boundPatterns(
  schema: JsonObject,
  remark: (message: string, ...pointer: Pointer) => void,
): void {
  const bound = (holder: JsonObject, pattern: string, ...place: Pointer) => {
    const length = quickLengthOf(pattern);
    if (length === 0 || length >= Number(holder.maxLength ?? Infinity) || length === Infinity) return;
    remark(
      `texts of more than ${length} characters are rejected, because the pattern takes long for them: write it without a lookaround or a backreference, or write maxLength: ${length}`,
      ...place,
    );
    holder.maxLength = length;
  };
  if (typeof schema.pattern === 'string') bound(schema, schema.pattern, 'pattern');
  for (const pattern of Object.keys(schema.patternProperties ?? {})) {
    const names = { ...objectAt(schema, 'propertyNames') };
    bound(names, pattern, 'patternProperties', pattern);
    if ('maxLength' in names) schema.propertyNames = names;
  }
}
