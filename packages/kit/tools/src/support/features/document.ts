import { addressOf } from '../../operations.ts';
import { fieldIs, eachName, refused, when } from '../rule.ts';

/** Segments of other characters than `/`, `?` and `#`, with parameters in braces that do not touch each other. */
const TEMPLATE = /^(\/(?!\.{1,2}(\/|$))([^/?#{}]|(?<!\})\{[^{}/]+\})*)+$/;
const shapeOf = (path: string) => path.replaceAll(/\{[^}]*\}/g, '{}');

export const documentFeatures = [
  refused('Server', {
    feature: 'server addresses that are not URLs (RFC 3986), relative ones included',
    find: when((server) => {
      const address = addressOf(server);
      return !URL.canParse(address, address.includes('://') ? undefined : 'http://localhost');
    }, 'url'),
    example: 'url: https://[ # here\ndescription: Production',
    advice: 'write an address such as https://api.library.example/v1 or /v1',
  }),
];

export const pathFeatures = [
  refused('Paths', {
    feature:
      'paths without a slash at the start, with a query or a fragment, dot segments, or parameters that touch each other',
    find: eachName((path) => !TEMPLATE.test(path)),
    example: '/loans?state={state}: {} # here',
    advice: 'write /segments, with parameters in braces',
  }),
  refused('Paths', {
    feature: 'two paths that differ only in the names of their parameters',
    find: eachName((path, _value, { node: { value: paths } }) => {
      const names = Object.keys(paths);
      return names.slice(0, names.indexOf(path)).some((other) => shapeOf(other) === shapeOf(path));
    }),
    example: '/loans/{loanId}: {}\n/loans/{id}: {} # here',
    advice: 'write one path: both would match the same requests',
  }),
  refused('Operation', {
    feature: '`x-internal: true`',
    find: fieldIs('x-internal', true),
    example: 'operationId: example\nresponses: {}\nx-internal: true # here',
    advice: 'leave the operation out: every operation of the contract is published',
  }),
];
