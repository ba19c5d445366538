import { on, typesOf, where } from '../../rule.ts';
import { JSON_TYPE } from '../media.ts';

const { refused } = on('Schema');

export const FORMATS: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
  string: [
    ...['date', 'time', 'date-time', 'duration', 'uuid', 'email', 'uri', 'uri-reference', 'hostname'],
    ...['ipv4', 'ipv6', 'byte', 'password'],
  ],
};

/** Of a regular expression: around it, before it, or for a part of it. */
export const FLAGS = /^\/.*\/[a-z]*$|\(\?[a-z-]+[:)]/;

export const stringFeatures = [
  refused(
    'flags of a pattern (`/abc/i`, `(?i)`, `(?i:…)`)',
    where(({ pattern }) => FLAGS.test(pattern), 'pattern'),
    'type: string\npattern: (?i)abc # here',
    'write both cases, such as [Aa][Bb]',
  ),
  refused(
    'other formats (`idn-email`, `iri`, `regex`, `json-pointer`, `uri-template`, …), and formats of another type',
    where((schema) => {
      const known = typesOf(schema).flatMap((type) => FORMATS[type] ?? []);
      return schema.format !== undefined && schema.format !== 'binary' && !known.includes(schema.format);
    }, 'format'),
    'type: string\nformat: datetime # here',
    'leave it out, or write pattern, or one of the formats in docs/contract.md beside its type',
  ),
  refused(
    '`format: binary` in JSON',
    where(
      ({ format }, _contract, { parent }) =>
        format === 'binary' && !(parent?.kind === 'MediaType' && parent.pointer.at(-1) !== JSON_TYPE),
      'format',
    ),
    'type: string\nformat: binary # here',
    'write format: byte (base64), or a binary response',
  ),
  refused(
    '`x-extensible-enum` of anything but strings, or beside `enum` or `const`',
    where(
      (schema) =>
        'x-extensible-enum' in schema &&
        (typesOf(schema).join() !== 'string' || 'enum' in schema || 'const' in schema),
      'x-extensible-enum',
    ),
    'type: integer\nx-extensible-enum: ["1", "2"] # here',
    'write type: string beside it, or enum alone where no value will be added',
  ),
];
