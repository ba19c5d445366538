import { readFileSync } from 'node:fs';
import { notesOf } from '../src/create/create.ts';
import { isTaken, isTakenService } from '../src/generate/taken-names.ts';
import { guessedErrors } from '../src/error-body/error-body.ts';
import { featuresOf } from '../src/create/features.ts';
import { serviceFunctions } from '../src/create/service-functions.ts';
import { packageVersion } from '../src/package-version.ts';
import { parseContract } from '@contract-kit/core/openapi';

/* The whole command is tried in apps/end-to-end/test/full/create.test.ts. */

const operation = (id: string, tags?: readonly string[]) => ({
  operationId: id,
  ...(tags && { tags }),
  responses: { 204: { description: 'Done.' } },
});

const contractWith = (rest: object) =>
  parseContract(JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, ...rest }));

test('a feature is the first tag of its operations, or else the first path segment that names one', () => {
  const paths = {
    '/links': {
      get: operation('listLinks', ['Short Links', 'all']),
      post: operation('createLink', ['short-links']),
    },
    '/v2/users/{id}': { get: operation('getUser') },
    '/api/v1.1/users': { get: operation('listUsers') },
    '/company/rest/v2/users/{id}/roles': { get: operation('listRoles') },
    '/company/{id}/api/users': { get: operation('listCompanyUsers') },
    '/v8engines/parts': { get: operation('listEngines') },
    '/{tenant}/tills': { get: operation('listTills') },
    '/v2': { get: operation('getVersion') },
    '/{id}': { get: operation('getAny') },
    '/': { get: operation('getRoot') },
  };
  expect(featuresOf(contractWith({ paths }))).toEqual([
    { folder: 'short-links', name: 'shortLinks', operationIds: ['listLinks', 'createLink'] },
    { folder: 'users', name: 'users', operationIds: ['getUser', 'listUsers', 'listRoles'] },
    { folder: 'company', name: 'company', operationIds: ['listCompanyUsers'] },
    { folder: 'v8engines', name: 'v8engines', operationIds: ['listEngines'] },
    { folder: 'tills', name: 'tills', operationIds: ['listTills'] },
    { folder: 'v2', name: 'v2', operationIds: ['getVersion'] },
    { folder: 'api', name: 'api', operationIds: ['getAny', 'getRoot'] },
  ]);
});

test.each([
  ['..', 'api'],
  ['../../etc/passwd', 'etc-passwd'],
  ['con', 'con-api'],
  ['Überraschung', 'u-berraschung'],
  ['日本', 'api'],
  ['class', 'class'],
  ['2fa', '2fa', '_2fa'],
])('the tag %p makes the folder %s', (tag, folder, name = expect.any(String) as string) => {
  const contract = contractWith({ paths: { '/a': { get: operation('getA', [tag]) } } });
  expect(featuresOf(contract)).toEqual([{ folder, name, operationIds: ['getA'] }]);
});

test('every export of all clients is a name that a schema cannot have', () => {
  const read = (file: string) =>
    readFileSync(new URL(`../../client/src/${file}.ts`, import.meta.url), 'utf8').replaceAll(
      /\/\*.*\*\//g,
      '',
    );
  const listed = [...read('public').matchAll(/export (?:type )?{([^}]*)}/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replace('type ', '').trim()),
  );
  const declared = [...read('events').matchAll(/export (?:interface|type) (\w+)/g)].map(
    ([, name = '']) => name,
  );
  const names = [...listed, ...declared].filter(Boolean);
  expect(names).toEqual(expect.arrayContaining(['CallError', 'Clock', 'Int64', 'RetryEvent']));
  expect(names.filter((name) => !isTaken(name))).toEqual([]);
});

test.each([
  ...['answer', 'api', 'call', 'client', 'connection', 'fake', 'fetch', 'handler', 'limits', 'promise'],
  ...['rate-limit', 'reply', 'request', 'result', 'schemas', 'service', 'timeout'],
])('a service called %s would have a name that every client has', (name) => {
  expect(isTakenService(name)).toBe(true);
});

test.each(['shop', 'my-api', 'order-event', 'library'])('a service may be called %s', (name) => {
  expect(isTakenService(name)).toBe(false);
});

test('a note says which pages for operators the contract replaces', () => {
  const paths = { '/metrics': { get: operation('getMetrics') }, '/health': { get: operation('getHealth') } };
  const notes = (servers?: object[]) => notesOf(contractWith({ paths, servers }), undefined);
  expect(notes().join('\n')).toMatch(/ADMIN_PORT.*: \/metrics\./);
  expect(notes([{ url: '/v1' }]).join('\n')).not.toContain('ADMIN_PORT');
});

test('a note names what is open to everyone, or says that all is', () => {
  const noteWith = (security: object) => {
    const paths = { '/a': { get: operation('getA') }, '/b': { get: { ...operation('getB'), ...security } } };
    const components = { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } };
    return notesOf(contractWith({ paths, components }), undefined)[0];
  };
  expect(noteWith({})).toBe('Open to everyone: no operation requires security.');
  expect(noteWith({ security: [{ key: [] }] })).toMatch(/^Open to everyone, .*: getA\.$/);
});

test('a service whose errors the kit does not make has error-body.ts, and a note that it is a guess', async () => {
  const problem = { type: 'object', properties: { title: { type: 'string' } } };
  const content = { 'application/problem+json': { schema: problem } };
  const get = { responses: { default: { description: 'No.', content } } };
  const contract = contractWith({ paths: { '/a': { get } } });
  const errors = guessedErrors(contract.model, 'links');
  expect(notesOf(contract, errors).join('\n')).toMatch(/guessed.*error-body\.ts/);
  const { files, imports, options } = await serviceFunctions(contract, 'links', errors);
  expect(Object.keys(files)).toEqual(['apps/server/src/error-body.ts']);
  expect(imports + options).toMatch(/from '\.\/error-body\.ts';\n *errorBody,/);
  expect((await serviceFunctions(contract, 'links', undefined)).files).toEqual({});
});

test.each([
  ['1.2.3', '1.2.3'],
  ['v2.1', '2.1.0'],
  ['1', '1.0.0'],
  ['1.0.0-rc.1', '1.0.0-rc.1'],
  ['2026-11-23', '2026.11.23'],
  ['latest', '0.0.0'],
])('a contract of version %s makes packages of version %s', (version, expected) => {
  expect(packageVersion(version)).toBe(expected);
});
