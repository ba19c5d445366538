import { report } from '../../src/diff/report.ts';
import { changed, contract, type Edit } from '../support/contract.ts';
import { cut } from '../support/edit.ts';
import { judged } from '../support/shop.ts';

const PATCH: Edit = ['summary: Get a book', 'summary: One book'];
const MINOR: Edit = ['perMinute: 60', 'perMinute: 61'];
const MAJOR: Edit = ['perMinute: 60', 'perMinute: 59'];
const NEW_ADDRESS: readonly Edit[] = [
  ['library.example/v1', 'library.example/v2'],
  ['localhost:3000/v1', 'localhost:3000/v2'],
];

const problemsOf = (revision: string, today = '2026-12-01') =>
  judged(contract, revision, today).problems.map(({ message }) => message);

test.each<[version: string, edits: readonly Edit[], ...problems: string[]]>([
  ['1.2.3', []],
  ['1.2.4', [PATCH]],
  ['1.3.0', [PATCH, MINOR]],
  ['2.0.0', [MINOR, ...NEW_ADDRESS]],
  ['2.0.0', [PATCH, MAJOR, ...NEW_ADDRESS]],
  ['1.2.3', [PATCH], 'info.version stays 1.2.3, but a patch change of the contract needs 1.2.4'],
  ['1.2.4', [MINOR], 'info.version goes from 1.2.3 to 1.2.4, but a minor change of the contract needs 1.3.0'],
  [
    '1.10.0',
    [MAJOR],
    'info.version goes from 1.2.3 to 1.10.0, but a major change of the contract needs 2.0.0',
  ],
  ['1.2.2', [], 'info.version goes from 1.2.3 to 1.2.2, but it may not fall below 1.2.3'],
  ['1.3.0-beta.1', [MINOR]],
  [
    '1.2.4-beta.1',
    [MINOR],
    'info.version goes from 1.2.3 to 1.2.4-beta.1, but a minor change of the contract needs 1.3.0',
  ],
])('version %s with the changes %j: %s', (version, edits, ...problems) => {
  const revision = changed(['version: 1.2.3', `version: ${version}`], ...edits);
  expect(problemsOf(revision)).toEqual(problems);
});

test.each([
  ['2026-03-01', '2026-04-01'],
  ['v1', 'v2'],
  ['v2.1', '2.2.0'],
  ['1.2.3', '2026-03-01'],
  ['"1.3"', '"1.4"'],
])('after %s any change may be %s, and which part must rise is not said', (from, to) => {
  const base = changed(['version: 1.2.3', `version: ${from}`]);
  const next = (version: string, ...edits: readonly Edit[]) =>
    judged(base, changed(['version: 1.2.3', `version: ${version}`], ...edits));
  expect(next(from).problems).toEqual([]);
  expect(next(to, MAJOR)).toMatchObject({ needed: undefined, problems: [] });
  expect(report(next(to, MAJOR), 'the release')).not.toMatch(/need version/);
});

test('a version that is not semantic must change with the contract', () => {
  const [base, revision] = [[], [PATCH]].map((edits) =>
    changed(['version: 1.2.3', 'version: 2026-03-01'], ...edits),
  ) as [string, string];
  expect(judged(base, revision).problems).toMatchObject([
    { message: 'info.version stays 2026-03-01, but the contract has changed' },
  ]);
});

test('any change may follow a contract whose first version is 2.0.0-rc.1', () => {
  const base = changed(['version: 1.2.3', 'version: 2.0.0-rc.1']);
  const next = (version: string) => judged(base, changed(['version: 1.2.3', `version: ${version}`], MAJOR));
  expect(next('2.0.0')).toMatchObject({ needed: '2.0.0', problems: [] });
  expect(next('1.9.0').problems).toMatchObject([
    { message: 'info.version goes from 2.0.0-rc.1 to 1.9.0, but a major change of the contract needs 2.0.0' },
  ]);
});

const UNANNOUNCED =
  'GET /loans disappears without ever having been released as deprecated, with a sunset date';
const bookRenamed = changed(['/books/{bookId}:', '/books/{id}:'], ['name: bookId', 'name: id']);

test.each([
  ['may disappear on its sunset date', cut(contract, '  /books/{bookId}:', 'components:'), '2027-06-30'],
  [
    'may not disappear without deprecation',
    cut(contract, '  /loans:', '  /books/{bookId}:'),
    '2099-01-01',
    UNANNOUNCED,
  ],
  ['disappears if its path changes', changed(['  /loans:', '  /all-loans:']), '2099-01-01', UNANNOUNCED],
  ['remains if only a path parameter is renamed', bookRenamed, '2026-12-01'],
])('an operation %s', (_name, revision, today, ...messages) => {
  const problems = problemsOf(revision, today);
  expect(problems.filter((problem) => problem.includes('disappears'))).toEqual(messages);
});
