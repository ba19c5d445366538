import { parseContract } from '../../src/source-document.ts';
import type { Change, Impact, Pair } from '../../src/release/change.ts';
import { checkDisappearances, checkVersionRises } from '../../src/release/requirements.ts';
import { changed, contract, type Edit } from '../support/contract.ts';
import { cut } from '../support/edit.ts';

const version = (to: string): Edit => ['version: 1.2.3', `version: ${to}`];

const place = { side: 'revision', line: 1, column: 1 } as const;

function changesOf(impact?: Impact): Change[] {
  return impact ? [{ impact, subject: '', what: '', place }] : [];
}

function pairOf(base: string, revision: string, today = '2026-12-01'): Pair {
  return { base: parseContract(base), revision: parseContract(revision), today, compared: new Set() };
}

function problemsOfVersion(to: string, changes: readonly Change[]): string[] {
  return [...checkVersionRises(pairOf(contract, changed(version(to))), changes)].map(
    ({ message }) => message,
  );
}

describe('the version', () => {
  test.each([
    ['1.2.4', 'patch'],
    ['1.3.0', 'minor'],
    ['2.0.0', 'major'],
    ['1.2.3', undefined],
  ] as const)('may rise to %s or higher for %s changes', (to, impact) => {
    expect(problemsOfVersion(to, changesOf(impact))).toEqual([]);
    expect(problemsOfVersion('3.0.0', changesOf(impact))).toEqual([]);
  });

  test.each([
    ['1.2.3', 'patch', 'info.version stays 1.2.3, but a patch change of the contract needs 1.2.4'],
    [
      '1.2.4',
      'minor',
      'info.version goes from 1.2.3 to 1.2.4, but a minor change of the contract needs 1.3.0',
    ],
    [
      '1.10.0',
      'major',
      'info.version goes from 1.2.3 to 1.10.0, but a major change of the contract needs 2.0.0',
    ],
    ['1.2.2', undefined, 'info.version goes from 1.2.3 to 1.2.2, but it may not fall below 1.2.3'],
    ['"1.3"', 'minor', 'info.version must be of the form 1.2.3: 1.3'],
    ['1.3.0-beta.1', 'minor', 'info.version must be of the form 1.2.3: 1.3.0-beta.1'],
  ] as const)('%s is rejected for %s changes: %s', (to, impact, message) => {
    expect(problemsOfVersion(to, changesOf(impact))).toEqual([message]);
  });
});

describe('an operation', () => {
  const undeprecated =
    'GET /loans disappears without ever having been released as deprecated, with a sunset date';

  test.each([
    ['may disappear on its sunset date', cut(contract, '  /books/{bookId}:', 'components:'), '2027-06-30'],
    [
      'may not disappear without deprecation',
      cut(contract, '  /loans:', '  /books/{bookId}:'),
      '2099-01-01',
      undeprecated,
    ],
    ['disappears if its path changes', changed(['  /loans:', '  /all-loans:']), '2099-01-01', undeprecated],
    [
      'remains if only a path parameter is renamed',
      changed(['/books/{bookId}:', '/books/{id}:'], ['name: bookId', 'name: id']),
      '2026-12-01',
    ],
  ])('%s', (_name, revision, today, ...messages) => {
    const found = checkDisappearances(pairOf(contract, revision, today));
    expect([...found].map(({ message }) => message)).toEqual(messages);
  });
});
