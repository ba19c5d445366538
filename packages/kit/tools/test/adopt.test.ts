import { notesOf } from '../src/adopt/adopt.ts';
import { featureSources, featuresOf } from '../src/adopt/features.ts';
import { packageVersion } from '../src/package-version.ts';
import { judge } from '../src/release/gate.ts';
import { parseContract } from '../src/source-document.ts';

/* The whole command is tried on a copy of the workspace in full/adopt.test.ts. */

const operation = (id: string, tags?: readonly string[]) => ({
  operationId: id,
  ...(tags && { tags }),
  responses: { 204: { description: 'Done.' } },
});

/** The folders of the features, with their operations. */
function foldersOf(paths: Record<string, object>) {
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths };
  const contract = parseContract(JSON.stringify(document));
  return featuresOf(contract).map(({ folder, operationIds }) => [folder, ...operationIds]);
}

test('a feature is the first tag of its operations, or else the first segment of their paths', () => {
  const paths = {
    '/links': {
      get: operation('listLinks', ['Short Links', 'all']),
      post: operation('createLink', ['short-links']),
    },
    '/v2/users/{id}': { get: operation('getUser') },
    '/{id}': { get: operation('getAny') },
    '/': { get: operation('getRoot') },
  };
  expect(foldersOf(paths)).toEqual([
    ['short-links', 'listLinks', 'createLink'],
    ['v2', 'getUser'],
    ['api', 'getAny', 'getRoot'],
  ]);
});

test.each([
  ['..', 'api'],
  ['../../etc/passwd', 'etc-passwd'],
  ['con', 'con-api'],
  ['Überraschung', 'u-berraschung'],
  ['日本', 'api'],
  ['class', 'class'],
  ['2fa', '2fa'],
])('the tag %p makes the folder %s', (tag, folder) => {
  expect(foldersOf({ '/a': { get: operation('getA', [tag]) } })).toEqual([[folder, 'getA']]);
});

test('a note says which pages for operators the contract replaces', () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/metrics': { get: operation('getMetrics') }, '/health': { get: operation('getHealth') } },
  };
  const notes = (servers?: object[]) => notesOf(parseContract(JSON.stringify({ ...document, servers })));
  expect(notes()).toMatch(/ADMIN_PORT.*: `\/metrics`\./);
  expect(notes([{ url: '/v1' }])).not.toContain('ADMIN_PORT');
});

test('the name of a feature can be exported, for any folder', () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/2fa': { get: operation('get') } },
  };
  const sources = featureSources(parseContract(JSON.stringify(document)), 'links');
  expect(sources['apps/server/src/features.ts']).toContain(
    "export { feature as _2fa } from './2fa/feature.ts';",
  );
});

test.each([
  ['1.2.3', '1.2.3'],
  ['v2.1', '2.1.0'],
  ['1', '1.0.0'],
  ['1.0.0-rc.1', '1.0.0-rc.1'],
  ['2026-11-23', '0.0.0'],
  ['latest', '0.0.0'],
])('a contract of version %s makes packages of version %s', (version, expected) => {
  expect(packageVersion(version)).toBe(expected);
});

test('the gate takes a contract as it was released, and asks of the next release for three numbers', () => {
  const of = (version: string, description = 'Done.') =>
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'T', version },
      paths: { '/a': { get: { operationId: 'getA', responses: { 204: { description } } } } },
    });
  const problemsOf = (base: string, next: string) =>
    judge(base, next, '2026-11-24').problems.map(({ message }) => message);
  expect(problemsOf(of('v2.1'), of('v2.1'))).toEqual([]);
  expect(problemsOf(of('v2.1'), of('v2.2', 'Is done.'))).toEqual([
    'info.version must be of the form 1.2.3: v2.2',
  ]);
  expect(problemsOf(of('v2.1'), of('2.1.1', 'Is done.'))).toEqual([]);
});
