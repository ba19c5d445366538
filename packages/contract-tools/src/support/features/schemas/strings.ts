import { has, is, on, typesOf, where } from '../../row.ts';
import { JSON_TYPE } from '../media.ts';

const { works, refused } = on('Schema');

const FORMATS: readonly (readonly [format: string, type: string, note: string])[] = [
  ['int32', 'integer', ''],
  ['int64', 'integer', 'exact or refused: bigint in parameters, up to 2^53−1 in JSON'],
  ['float', 'number', 'a hint: JSON has one kind of number'],
  ['double', 'number', 'a hint: JSON has one kind of number'],
  ['date', 'string', 'RFC 3339; text, not a Date'],
  ['time', 'string', 'RFC 3339, with its offset'],
  ['date-time', 'string', 'RFC 3339; text, not a Date'],
  ['duration', 'string', 'ISO 8601'],
  ['uuid', 'string', ''],
  ['email', 'string', ''],
  ['uri', 'string', ''],
  ['uri-reference', 'string', ''],
  ['hostname', 'string', ''],
  ['ipv4', 'string', ''],
  ['ipv6', 'string', ''],
  ['byte', 'string', 'base64 as text'],
  ['password', 'string', 'a hint: any text'],
];

/** Of a regular expression: around it, before it, or for a part of it. */
export const FLAGS = /^\/.*\/[a-z]*$|\(\?[a-z-]+[:)]/;

export const stringFeatures = [
  works('`minLength`, `maxLength`', has('minLength', 'maxLength'), 'in characters (code points)'),
  works(
    '`pattern`',
    has('pattern'),
    'a regular expression of JavaScript, read with the flag u; samples show REPLACE_ME where there is no example',
  ),
  refused(
    'flags of a pattern (`/abc/i`, `(?i)`, `(?i:…)`)',
    where(({ pattern }) => FLAGS.test(pattern), 'pattern'),
    'type: string\npattern: (?i)abc # here',
    'write both cases, such as [Aa][Bb]',
  ),
  ...FORMATS.map(([format, , note]) => works(`\`format: ${format}\``, is('format', format), note)),
  refused(
    'other formats (`idn-email`, `iri`, `regex`, `json-pointer`, `uri-template`, …), and formats of another type',
    where(
      ({ format, type: _given, ...schema }) =>
        format !== undefined &&
        format !== 'binary' &&
        !FORMATS.some(([name, of]) => name === format && typesOf({ ...schema, type: _given }).includes(of)),
      'format',
    ),
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
    'write format: byte (base64), or a binary reply',
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
  works(
    '`x-extensible-enum` of strings',
    has('x-extensible-enum'),
    'the values known today: clients take new ones too; that of the error code follows from x-error-codes',
  ),
];
