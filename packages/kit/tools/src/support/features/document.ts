import { is, isInherited, named, on, where } from '../rule.ts';

const TEMPLATE = /^(\/(?!\.{1,2}(\/|$))([\w.~-]+|\{[^{}/]+\}))+$/;
const shapeOf = (path: string) => path.replaceAll(/\{[^}]*\}/g, '{}');

/** Whether a path clashes with one that stands before it. */
const clashing = (clash: (path: string, other: string) => boolean) =>
  named((path, _value, { value: paths }) => {
    const names = Object.keys(paths);
    return names.slice(0, names.indexOf(path)).some((other) => clash(path, other));
  });

/** Looked at before all else, because the rest is read in the words of 3.1. */
export const otherVersions = on('Document').refused(
  'OpenAPI 3.0, 3.2 and Swagger 2.0',
  (document) =>
    /^3\.1\.\d+$/.test(document.openapi) ? [] : [['swagger' in document ? 'swagger' : 'openapi']],
  'openapi: 3.0.3 # here',
  'write openapi: 3.1.0, and the document in its words',
);

export const documentFeatures = [
  otherVersions,
  on('Server').refused(
    'relative server addresses, and those with variables',
    where(({ url }) => !/^https?:\/\/[^?#{}]+$/.test(url) || !URL.canParse(url), 'url'),
    'url: /v1 # here\ndescription: Production',
    'write the whole address, such as https://api.library.example/v1',
  ),
];

export const pathFeatures = [
  on('Paths').refused(
    'part of a segment as a parameter, a slash at the end, dot segments, and characters that URLs escape',
    named((path) => !TEMPLATE.test(path) && !path.startsWith('x-')),
    '/loans/{loanId}.json: {} # here',
    'write /letters, digits, - . _ ~ or one {parameter} between two slashes',
  ),
  on('Paths').refused(
    'extensions among the paths',
    named((path) => path.startsWith('x-')),
    'x-owner: { name: loans-team } # here',
    'write it into the document, a path item or an operation',
  ),
  on('Paths').refused(
    'two paths that differ in the names of their parameters only',
    clashing((path, other) => shapeOf(other) === shapeOf(path)),
    '/loans/{loanId}: {}\n/loans/{id}: {} # here',
    'write one path: both would match the same requests',
  ),
  on('Operation').refused(
    'an operationId that every object of JavaScript has',
    where(({ operationId }) => operationId === 'then' || isInherited(operationId), 'operationId'),
    'operationId: toString # here',
    'choose another name',
  ),
  on('Operation').refused(
    '`x-internal: true`',
    is('x-internal', true),
    'operationId: example\nresponses: {}\nx-internal: true # here',
    'leave the operation out: every operation of the contract is published',
  ),
];
