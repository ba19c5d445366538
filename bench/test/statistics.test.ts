import { formatSpread, ratioOf, spreadOf } from '../src/statistics.ts';

test('the median of an even number of rounds lies between the two in the middle', () => {
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 });
});

test('ratios are taken within a round, so that a slow round counts for both', () => {
  expect(ratioOf([50, 5, 100], [100, 10, 200])).toEqual({ median: 0.5, min: 0.5, max: 0.5 });
});

test('figures have three digits', () => {
  expect(formatSpread({ median: 0.12345, min: 12.345, max: 12345 })).toBe('0.123 (12.3–12,345)');
});
