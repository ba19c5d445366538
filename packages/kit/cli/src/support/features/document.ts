import { serverAddress, methodsOf, parameterKey } from '@contract-kit/core/model';
import { pathShapeOf } from '@contract-kit/core/http';
import type { Json } from '@contract-kit/core/openapi';
import { all, eachName, isDate, isInherited, invalid, unsupported, when } from '../rule.ts';

/** Segments of other characters than `/`, `?` and `#`, with parameters in braces that do not touch each other. */
const TEMPLATE = /^(\/(?!\.{1,2}(\/|$))([^/?#{}]|(?<!\})\{[^{}/]+\})*)+$/;

export const documentRules = [
  unsupported('Server', {
    feature: 'server addresses that are neither absolute nor relative URLs (RFC 3986)',
    find: when((server) => {
      const address = serverAddress(server);
      return !URL.canParse(address, address.includes('://') ? undefined : 'http://localhost');
    }, 'url'),
    example: 'url: https://[ # here\ndescription: Production',
    advice: 'write an address such as https://api.library.example/v1 or /v1',
  }),
  invalid('Document', {
    message:
      'the names of plans and error codes are letters, digits and _, but not members of every JavaScript object: choose another name',
    find: all(
      ...['x-rate-limit-plans', 'x-error-codes'].map((list) =>
        eachName((name) => !/^[a-z]\w*$/i.test(name) || isInherited(name), list),
      ),
    ),
    example: 'x-error-codes:\n  loan-gone: { status: 410, description: It is gone. } # here',
  }),
];

export const pathRules = [
  unsupported('PathItem', {
    feature: '`additionalOperations`',
    find: when((item) => item.additionalOperations !== undefined, 'additionalOperations'),
    example: 'additionalOperations: { LINK: { responses: {} } } # here',
    advice: 'write a standard method, such as post',
  }),
  unsupported('Paths', {
    feature:
      'paths without a slash at the start, with a query or a fragment, dot segments, or parameters that touch each other',
    find: eachName((path) => !TEMPLATE.test(path)),
    example: '/loans?state={state}: {} # here',
    advice: 'write /segments, with parameters in braces',
  }),
  unsupported('Paths', {
    feature: 'two paths that differ only in the names of their parameters, with a method in common',
    find: eachName((path, item, { node: { value: paths }, contract }) => {
      const methods = methodsOf(contract.resolve(item) ?? {});
      const names = Object.keys(paths);
      return names
        .slice(0, names.indexOf(path))
        .filter((other) => pathShapeOf(other) === pathShapeOf(path))
        .some((other) =>
          methodsOf(contract.resolve(paths[other]) ?? {}).some((name) => methods.includes(name)),
        );
    }),
    example: '/loans/{loanId}: { get: { responses: {} } }\n/loans/{id}: { get: { responses: {} } } # here',
    advice: 'write one path, or move one operation',
  }),
  unsupported('Operation', {
    feature: '`x-internal: true`',
    find: when((operation) => operation['x-internal'] === true, 'x-internal'),
    example: 'operationId: example\nresponses: {}\nx-internal: true # here',
    advice: 'leave the operation out: every operation of the contract is published',
  }),
  invalid('Operation', {
    message: 'this must be a date, such as "2027-06-30"',
    find: all(
      ...['x-deprecated-since', 'x-deprecated-sunset'].map((key) =>
        when((operation) => key in operation && !isDate(operation[key]), key),
      ),
    ),
    example: 'responses: {}\ndeprecated: true\nx-deprecated-since: soon # here',
  }),
  invalid('Paths', {
    message: 'the path has one parameter twice: rename one',
    find: eachName((path) => /(\{[^}]*\}).*\1/.test(path)),
    example: '/shops/{id}/loans/{id}: {} # here',
  }),
  invalid('Operation', {
    message: 'the parameter is declared twice: leave one out',
    find: ({ parameters = [] }, { contract }) => {
      const keys: string[] = parameters.map((item: Json) => parameterKey(contract.resolve(item) ?? {}));
      return keys.flatMap((key, index) => (keys.indexOf(key) < index ? [['parameters', index]] : []));
    },
    example:
      'parameters:\n  - { name: X-Page, in: header, schema: { type: string } }\n  - { name: x-page, in: header, schema: { type: string } } # here',
  }),
];
