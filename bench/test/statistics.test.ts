import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdict } from '../src/against.ts';
import {
  estimateRatio,
  formatSpread,
  ratios,
  spreadOf,
  studentQuantile,
  targetText,
} from '../src/statistics.ts';

const assertNear = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 0.005, `${actual} is not about ${expected}`);

test('the median of an even number of rounds is between the two in the middle', () => {
  assert.deepEqual(spreadOf([4, 1, 3, 2]), { median: 2.5, min: 1, max: 4 });
});

test('a ratio is taken within a round, so that a slow round counts for both', () => {
  assert.deepEqual(ratios([50, 5, 100], [100, 10, 200]), [0.5, 0.5, 0.5]);
});

test("Student's quantiles are those of the tables", () => {
  for (const [degrees, quantile] of [
    [4, 2.776],
    [14, 2.145],
    [29, 2.045],
  ] as const) {
    assertNear(studentQuantile(degrees) / quantile, 1);
  }
});

test('the interval of a ratio is computed from logarithms', () => {
  const { mean, low, high } = estimateRatio([1 / 2, 2, 1, 1, 1]);
  assertNear(mean, 1);
  assertNear(low * high, 1);
  assertNear(Math.log(high), (2.776 * Math.LN2 * Math.sqrt(1 / 2)) / Math.sqrt(5));
});

test('a row fails only if its whole interval is above 1.1, and at least 15 rounds are judged', () => {
  assert.equal(verdict({ mean: 1.2, low: 1.09, high: 1.3 }, 15), 'passed');
  assert.equal(verdict({ mean: 1.2, low: 1.11, high: 1.3 }, 15), '**failed**');
  assert.equal(verdict({ mean: 1.2, low: 1.11, high: 1.3 }, 14), 'not judged');
});

test('figures have three significant digits', () => {
  assert.equal(formatSpread([0.12345, 12.345, 12345]), '12.3 (0.123–12,345)');
});

test('a target that leaves something out is judged with it, too', () => {
  assert.equal(targetText('express', 3, [3.1]), 'express ≥ 3: met (3.10)');
  assert.equal(targetText('express', 3, [2.9, 2.9]), 'express ≥ 3: **missed** (2.90, 2.90–2.90)');
  assert.equal(
    targetText('fastify', 1, [0.86], [1.04]),
    'fastify ≥ 1: met (1.04) without the validator, **missed** (0.86) with it',
  );
});
