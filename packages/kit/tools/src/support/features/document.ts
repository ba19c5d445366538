import { addressOf } from '../../operations.ts';
import { is, named, on, where } from '../row.ts';

/** Segments of other characters than `/`, `?` and `#`, with parameters in braces that do not touch each other. */
const TEMPLATE = /^(\/(?!\.{1,2}(\/|$))([^/?#{}]|(?<!\})\{[^{}/]+\})*)+$/;
const shapeOf = (path: string) => path.replaceAll(/\{[^}]*\}/g, '{}');

export const documentFeatures = [
  on('Server').refused(
    'server addresses that are no URL (RFC 3986), relative ones included',
    where((server) => !URL.canParse(addressOf(server), 'http://localhost'), 'url'),
    'url: https://[ # here\ndescription: Production',
    'write an address such as https://api.library.example/v1 or /v1',
  ),
];

export const pathFeatures = [
  on('Paths').refused(
    'paths without a slash at the start, with a query or a fragment, dot segments, or parameters that touch each other',
    named((path) => !TEMPLATE.test(path)),
    '/loans?state={state}: {} # here',
    'write /segments, with parameters in braces',
  ),
  on('Paths').refused(
    'two paths that differ in the names of their parameters only',
    named((path, _value, { value: paths }) => {
      const names = Object.keys(paths);
      return names.slice(0, names.indexOf(path)).some((other) => shapeOf(other) === shapeOf(path));
    }),
    '/loans/{loanId}: {}\n/loans/{id}: {} # here',
    'write one path: both would match the same requests',
  ),
  on('Operation').refused(
    '`x-internal: true`',
    is('x-internal', true),
    'operationId: example\nresponses: {}\nx-internal: true # here',
    'leave the operation out: every operation of the contract is published',
  ),
];
