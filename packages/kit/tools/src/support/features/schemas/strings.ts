import { refused, typesOf, when } from '../../rule.ts';
import { JSON_TYPE } from '../media.ts';

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
  refused('Schema', {
    feature: 'flags of a pattern (`/abc/i`, `(?i)`, `(?i:…)`)',
    find: when(({ pattern }) => FLAGS.test(pattern), 'pattern'),
    example: 'type: string\npattern: (?i)abc # here',
    advice: 'write both cases, such as [Aa][Bb]',
  }),
  refused('Schema', {
    feature:
      'other formats (`idn-email`, `iri`, `regex`, `json-pointer`, `uri-template`, …), and formats of another type',
    find: when((schema) => {
      const known = typesOf(schema).flatMap((type) => FORMATS[type] ?? []);
      return schema.format !== undefined && schema.format !== 'binary' && !known.includes(schema.format);
    }, 'format'),
    example: 'type: string\nformat: datetime # here',
    advice: 'leave it out, or write pattern, or one of the formats in docs/contract.md beside its type',
  }),
  refused('Schema', {
    feature: '`format: binary` in JSON',
    find: when(
      ({ format }, { node: { parent } }) =>
        format === 'binary' && !(parent?.kind === 'MediaType' && parent.pointer.at(-1) !== JSON_TYPE),
      'format',
    ),
    example: 'type: string\nformat: binary # here',
    advice: 'write format: byte (base64), or a binary response',
  }),
  refused('Schema', {
    feature: '`x-extensible-enum` of anything but strings, or beside `enum` or `const`',
    find: when(
      (schema) =>
        'x-extensible-enum' in schema &&
        (typesOf(schema).join() !== 'string' || 'enum' in schema || 'const' in schema),
      'x-extensible-enum',
    ),
    example: 'type: integer\nx-extensible-enum: ["1", "2"] # here',
    advice: 'write type: string beside it, or enum alone where no value will be added',
  }),
];
