import { has, is, refused, typesOf, where, works } from '../../feature.ts';

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
  works(
    '`minLength`, `maxLength`',
    'Schema',
    has('minLength', 'maxLength'),
    'in characters (code points)',
    'type: string\nminLength: 1\nmaxLength: 64',
  ),
  works(
    '`pattern`',
    'Schema',
    has('pattern'),
    'a regular expression of JavaScript, read with the flag u; samples show REPLACE_ME where there is no example',
    'type: string\npattern: ^[a-z]+$',
  ),
  refused(
    'flags of a pattern (`/abc/i`, `(?i)`, `(?i:…)`)',
    'Schema',
    where(({ pattern }) => FLAGS.test(pattern), 'pattern'),
    'write both cases, such as [Aa][Bb]',
    'type: string\npattern: (?i)abc # here',
  ),
  ...FORMATS.map(([format, of, note]) =>
    works(`\`format: ${format}\``, 'Schema', is('format', format), note, `type: ${of}\nformat: ${format}`),
  ),
  refused(
    'other formats (`idn-email`, `iri`, `regex`, `json-pointer`, `uri-template`, …), and formats of another type',
    'Schema',
    where(
      ({ format, type: _given, ...schema }) =>
        format !== undefined &&
        format !== 'binary' &&
        !FORMATS.some(([name, of]) => name === format && typesOf({ ...schema, type: _given }).includes(of)),
      'format',
    ),
    'write pattern, or one of the formats in docs/contract.md beside its type',
    'type: string\nformat: datetime # here',
  ),
  refused(
    '`format: binary` in JSON',
    'Schema',
    where(({ format }, _scope, { parent }) => format === 'binary' && parent?.kind !== 'MediaType', 'format'),
    'write format: byte (base64), or a binary reply',
    'type: string\nformat: binary # here',
  ),
  refused(
    '`contentEncoding`, `contentMediaType`, `contentSchema`',
    'Schema',
    has('contentEncoding', 'contentMediaType', 'contentSchema'),
    'write format: byte for base64',
    'type: string\ncontentEncoding: base64 # here',
  ),
  refused(
    '`x-extensible-enum` of anything but strings, or beside `enum` or `const`',
    'Schema',
    where(
      (schema) =>
        'x-extensible-enum' in schema &&
        (typesOf(schema).join() !== 'string' || 'enum' in schema || 'const' in schema),
      'x-extensible-enum',
    ),
    'write type: string beside it, or enum alone where no value will be added',
    'type: integer\nx-extensible-enum: ["1", "2"] # here',
  ),
  works(
    '`x-extensible-enum` of strings',
    'Schema',
    has('x-extensible-enum'),
    'the values known today: clients take new ones too; that of the error code follows from x-error-codes',
    'type: string\nx-extensible-enum: [small, large]',
  ),
];
