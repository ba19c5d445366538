import { fieldIs, isInherited, eachName, refused, when } from '../rule.ts';

const TEMPLATE = /^(\/(?!\.{1,2}(\/|$))([\w.~-]+|\{[^{}/]+\}))+$/;
const shapeOf = (path: string) => path.replaceAll(/\{[^}]*\}/g, '{}');

/** Whether a path clashes with one that stands before it. */
const clashing = (clash: (path: string, other: string) => boolean) =>
  eachName((path, _value, { node: { value: paths } }) => {
    const names = Object.keys(paths);
    return names.slice(0, names.indexOf(path)).some((other) => clash(path, other));
  });

/** Looked at before all else, because the rest is read in the words of 3.1. */
export const otherVersions = refused('Document', {
  feature: 'OpenAPI 3.0, 3.2 and Swagger 2.0',
  find: (document) =>
    /^3\.1\.\d+$/.test(document.openapi) ? [] : [['swagger' in document ? 'swagger' : 'openapi']],
  example: 'openapi: 3.0.3 # here',
  advice: 'write openapi: 3.1.0, and the document in its words',
});

export const documentFeatures = [
  otherVersions,
  refused('Server', {
    feature: 'relative server addresses, and those with variables',
    find: when(({ url }) => !/^https?:\/\/[^?#{}]+$/.test(url) || !URL.canParse(url), 'url'),
    example: 'url: /v1 # here\ndescription: Production',
    advice: 'write the whole address, such as https://api.library.example/v1',
  }),
];

export const pathFeatures = [
  refused('Paths', {
    feature:
      'part of a segment as a parameter, a slash at the end, dot segments, and characters that URLs escape',
    find: eachName((path) => !TEMPLATE.test(path) && !path.startsWith('x-')),
    example: '/loans/{loanId}.json: {} # here',
    advice: 'write /letters, digits, - . _ ~ or one {parameter} between two slashes',
  }),
  refused('Paths', {
    feature: 'extensions among the paths',
    find: eachName((path) => path.startsWith('x-')),
    example: 'x-owner: { name: loans-team } # here',
    advice: 'write it into the document, a path item or an operation',
  }),
  refused('Paths', {
    feature: 'two paths that differ in the names of their parameters only',
    find: clashing((path, other) => shapeOf(other) === shapeOf(path)),
    example: '/loans/{loanId}: {}\n/loans/{id}: {} # here',
    advice: 'write one path: both would match the same requests',
  }),
  refused('Operation', {
    feature: 'an operationId that every object of JavaScript has',
    find: when(({ operationId }) => operationId === 'then' || isInherited(operationId), 'operationId'),
    example: 'operationId: toString # here',
    advice: 'choose another name',
  }),
  refused('Operation', {
    feature: '`x-internal: true`',
    find: fieldIs('x-internal', true),
    example: 'operationId: example\nresponses: {}\nx-internal: true # here',
    advice: 'leave the operation out: every operation of the contract is published',
  }),
];
