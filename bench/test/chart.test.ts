import { chartOf } from '../src/report/chart.ts';

const spread = (median: number) => ({ median, min: median / 2, max: median * 2 });
const result = (name: string, median: number) => ({
  title: 'List <of 10> & more',
  tables: [],
  claims: [],
  bars: [{ name, ratio: spread(median) }],
});

test('a bar is as long as its ratio says, in proportion to the others', () => {
  const chart = chartOf([result('petstore', 0.4), result('express', 0.1)]);
  const [ours = 0, peer = 0] = [...chart.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) =>
    Number(width),
  );
  expect(ours / peer).toBeCloseTo(4, 1);
  expect(chart).toContain('>0.40</text>');
});

test('it can be read on light and on dark pages, and is well-formed whatever a title holds', () => {
  const chart = chartOf([result('petstore', 0.4)]);
  expect(chart).toContain('prefers-color-scheme: dark');
  expect(chart).toContain('List &lt;of 10> &amp; more');
});

test('a part without ratios has no place in it', () => {
  expect(chartOf([{ title: 'Generate', tables: [], claims: [] }])).not.toContain('Generate');
});

test('it says so where other processes kept the machine busy', () => {
  expect(chartOf([result('petstore', 0.4)], 0.5)).toContain('Other processes used up to 50 % of the machine');
  expect(chartOf([result('petstore', 0.4)], 0.05)).not.toContain('Other processes');
});
