import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ContractError, parseContract } from '@contract-kit/core/openapi';
import { checkContract } from '../src/rules/check-contract.ts';
import { refused, rows } from './kitchen-sink/supported.ts';
import { SURFACES, type Row, type Surface } from './kitchen-sink/table.ts';

/*
 * docs/supported.md says what any-contract.test.ts, damaged-bodies.test.ts and check-file.test.ts try: every row of the page is
 * a feature of kitchen-sink/supported.ts, and every cell something that they do with it.
 */

const root = path.join(import.meta.dirname, '../../../..');
const contract = parseContract(
  readFileSync(path.join(root, 'packages/test-support/kitchen-sink/supported.yaml'), 'utf8'),
);
const operations = new Set(contract.model.operations.map(({ id }) => id));

const isCalled = ({ input }: Row) => input !== undefined;
const has = (all: object | undefined) => Object.keys(all ?? {}).length > 0;

/** Whether a surface is tried with a row. */
const TRIED: Readonly<Record<Surface, (row: Row) => boolean>> = {
  server: ({ sent }) => has(sent),
  types: (row) => isCalled(row),
  client: isCalled,
  fake: isCalled,
  tool: (row) => isCalled(row) && !row.isNoTool && !row.fails,
  // Both try every operation of a contract.
  fuzzer: ({ operation }) => operations.has(operation),
  check: ({ operation }) => operations.has(operation),
};

/** Whether a row shows the limit that it has. */
const SHOWN: Readonly<Partial<Record<Surface, (row: Row) => boolean>>> = {
  types: ({ untyped }) => has(untyped),
  client: ({ refuses }) => has(refuses),
};

const refusedFeatures = [...new Set(refused.map(({ feature }) => feature))];
const features = [...new Set(rows.map(({ feature }) => feature))];
const rowsOf = (feature: string) => rows.filter((row) => row.feature === feature);

function cellOf(feature: string, surface: Surface): string {
  const all = rowsOf(feature);
  if (!all.some(TRIED[surface])) return 'not tried';
  const limits = new Set(all.flatMap(({ limits }) => limits?.[surface] ?? []));
  return [...limits].join('; ') || 'works';
}

test('docs/supported.md has a row for each feature of the kitchen sink, and no other', () => {
  const page = readFileSync(path.join(root, 'docs/supported.md'), 'utf8');
  const [head = '', , ...lines] = page.split('\n').filter((line) => line.startsWith('| '));
  const cells = (line: string) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|'));
  expect(cells(head).slice(1)).toEqual(SURFACES);
  expect(lines.map(cells)).toEqual([
    ...features.map((feature) => [feature, ...SURFACES.map((surface) => cellOf(feature, surface))]),
    ...refusedFeatures.map((feature) => [feature, ...SURFACES.map(() => 'refused')]),
  ]);
});

test.each(features)('%s is tried on every surface, also with what is wrong', (feature) => {
  const all = rowsOf(feature);
  expect(SURFACES.filter((surface) => !all.some(TRIED[surface]))).toEqual([]);
  expect(all.some(({ rejects, wrong, breaks }) => has(rejects) || has(wrong) || has(breaks))).toBe(true);
  for (const surface of SURFACES) {
    const limited = all.filter(({ limits }) => limits?.[surface]);
    if (limited.length > 0)
      expect([surface, limited.some((row) => SHOWN[surface]?.(row))]).toEqual([surface, true]);
  }
  expect(all.filter(({ untyped, limits }) => has(untyped) && !limits?.types)).toEqual([]);
});

test('every operation of the kitchen sink belongs to a row', () => {
  expect([...operations].filter((id) => !rows.some(({ operation }) => operation === id))).toEqual([]);
});

test.each(refused)('$feature is refused: $why', ({ operation, why }) => {
  const text = `openapi: 3.2.0
info: { title: Refused, version: 1.0.0 }
paths:
  /things${operation.includes('in: path') ? '/{id}' : ''}:
    post: ${operation}
`;
  const problems = () => {
    try {
      return checkContract(parseContract(text));
    } catch (error) {
      if (error instanceof ContractError) return error.problems;
      throw error;
    }
  };
  expect(problems().map(({ message }) => message)).toEqual([expect.stringContaining(why)]);
});
