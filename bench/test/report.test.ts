import assert from 'node:assert/strict';
import { test } from 'node:test';
import { helpText, readArguments, UsageError } from '../src/arguments.ts';
import { chartOf } from '../src/chart.ts';
import { parts } from '../src/parts/parts.ts';
import { formatSpread, ratioOf, spreadOf } from '../src/statistics.ts';

const spread = (median: number) => ({ median, min: median / 2, max: median * 2 });
const result = (name: string, median: number) => ({
  title: 'List <of 10> & more',
  tables: [],
  claims: [],
  bars: [{ name, ratio: spread(median) }],
});

test('a bar is as long as its ratio says, in proportion to the others', () => {
  const chart = chartOf([result('petstore', 0.4), result('express', 0.1)]);
  const [ours, peer] = [...chart.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width));
  assert.equal(Math.round((10 * (ours ?? 0)) / (peer ?? 0)), 40);
  assert.match(chart, />0\.40<\/text>/);
});

test('the chart can be read on light and on dark pages, and is well-formed whatever a title holds', () => {
  const chart = chartOf([result('petstore', 0.4)]);
  assert.match(chart, /prefers-color-scheme: dark/);
  assert.match(chart, /List &lt;of 10> &amp; more/);
});

test('a part without ratios has no place in the chart', () => {
  assert.doesNotMatch(chartOf([{ title: 'Generate', tables: [], claims: [] }]), /Generate/);
});

test('the chart says so where other processes kept the machine busy', () => {
  const note = /Other processes used up to 50 % of the machine/;
  assert.match(chartOf([result('petstore', 0.4)], 0.5), note);
  assert.doesNotMatch(chartOf([result('petstore', 0.4)], 0.05), /Other processes/);
});

test('the help names every part', () => {
  for (const { name, about } of parts) assert.ok(helpText(parts).includes(`${about}\n`), name);
  assert.equal(new Set(parts.map(({ name }) => name)).size, parts.length);
});

test('a full run writes the results, a part does so where it is asked to', () => {
  assert.equal(readArguments([], parts).write, true);
  assert.equal(readArguments(['list-10', '--rounds', '7'], parts).rounds, 7);
  assert.equal(readArguments(['list-10'], parts).write, false);
  assert.equal(readArguments(['list-10', '--write'], parts).write, true);
});

for (const [args, message] of [
  [['list-11'], /there is no part list-11; there are list-10, /],
  [['--rounds', '0'], /--rounds must be a whole number from 1/],
  [['--round', '3'], /Unknown option '--round'/],
] as const) {
  test(`${args.join(' ')} is refused, and it is said why`, () => {
    assert.throws(
      () => readArguments(args, parts),
      (error) => error instanceof UsageError && message.test(error.message),
    );
  });
}

test('the median of an even number of rounds lies between the two in the middle', () => {
  assert.deepEqual(spreadOf([4, 1, 3, 2]), { median: 2.5, min: 1, max: 4 });
});

test('ratios are taken within a round, so that a slow round counts for both', () => {
  assert.deepEqual(ratioOf([50, 5, 100], [100, 10, 200]), { median: 0.5, min: 0.5, max: 0.5 });
});

test('figures have three digits', () => {
  assert.equal(formatSpread({ median: 0.12345, min: 12.345, max: 12345 }), '0.123 (12.3–12,345)');
});
