import { judge } from '../../src/release/gate.ts';
import { changed, contract, type Edit } from '../support/contract.ts';
import { cut } from '../support/edit.ts';

const PATCH: Edit = ['summary: Get a book', 'summary: One book'];
const MINOR: Edit = ['perMinute: 60', 'perMinute: 61'];
const MAJOR: Edit = ['perMinute: 60', 'perMinute: 59'];
const NEW_ADDRESS: readonly Edit[] = [
  ['library.example/v1', 'library.example/v2'],
  ['localhost:3000/v1', 'localhost:3000/v2'],
];

const problemsOf = (revision: string, today = '2026-12-01') =>
  judge(contract, revision, today).problems.map(({ message }) => message);

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
  ['"1.3"', [MINOR], 'info.version must be of the form 1.2.3: 1.3'],
  ['1.3.0-beta.1', [MINOR], 'info.version must be of the form 1.2.3: 1.3.0-beta.1'],
])('version %s with the changes %j: %s', (version, edits, ...problems) => {
  const revision = changed(['version: 1.2.3', `version: ${version}`], ...edits);
  expect(problemsOf(revision)).toEqual(problems);
});

test('three numbers follow a contract that was adopted as v2.1', () => {
  const base = changed(['version: 1.2.3', 'version: v2.1']);
  const next = (version: string, ...edits: readonly Edit[]) =>
    judge(base, changed(['version: 1.2.3', `version: ${version}`], ...edits), '2026-12-01');
  expect(next('v2.1').problems).toEqual([]);
  expect(next('v2.2', PATCH).problems).toMatchObject([
    { message: 'info.version must be of the form 1.2.3: v2.2' },
  ]);
  expect(next('2.1.1', PATCH)).toMatchObject({ needed: '2.1.1', problems: [] });
});

test('any change may follow a contract that was adopted as 2.0.0-rc.1', () => {
  const base = changed(['version: 1.2.3', 'version: 2.0.0-rc.1']);
  const next = (version: string) =>
    judge(base, changed(['version: 1.2.3', `version: ${version}`], MAJOR), '2026-12-01');
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
