import { others } from './others.ts';
import { any, has, refused, typesOf, where, works, type Find } from '../../feature.ts';

/** The keywords that constrain values of one type only. */
const KEYWORDS_OF: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
};

const keywordsBesideTheirType: Find = (schema) =>
  Object.entries(KEYWORDS_OF).flatMap(([type, keywords]) => {
    const fits = typesOf(schema).some((each) => each === type || (type === 'number' && each === 'integer'));
    return fits || '$ref' in schema ? [] : keywords.filter((name) => name in schema).map((name) => [name]);
  });

const type = (...names: readonly string[]) =>
  where((schema) => names.includes(typesOf(schema)[0] ?? ''), 'type');

export const typeFeatures = [
  works(
    '`type: string, integer, number, boolean`',
    'Schema',
    type('string', 'integer', 'number', 'boolean'),
    'a number that would be rounded to a whole one, such as 9007199254740990.6, is refused with 400',
    'type: boolean',
  ),
  works(
    '`type: object` and `properties`',
    'Schema',
    has('properties'),
    'fields that are not declared are let through',
    'type: object\nproperties: { name: { type: string } }',
  ),
  works(
    '`required`',
    'Schema',
    has('required'),
    '',
    'type: object\nrequired: [name]\nproperties: { name: { type: string } }',
  ),
  works('`type: array` and `items`', 'Schema', has('items'), '', 'type: array\nitems: { type: string }'),
  works(
    "nullable (`type: [string, 'null']`, `type: 'null'`)",
    'Schema',
    where(({ type: given }) => [given].flat().includes('null'), 'type'),
    '',
    "type: [string, 'null']",
  ),
  refused(
    '`nullable: true` of OpenAPI 3.0',
    'Schema',
    has('nullable'),
    "write type: [string, 'null'], or oneOf with { type: 'null' }",
    'type: string\nnullable: true # here',
  ),
  refused(
    'several types (`type: [string, integer]`)',
    'Schema',
    where((schema) => typesOf(schema).length > 1, 'type'),
    'write oneOf, with one type in each',
    'type: [string, integer] # here',
  ),
  refused(
    'a list of one type (`type: [string]`)',
    'Schema',
    where(({ type: given }) => Array.isArray(given) && given.length < 2, 'type'),
    'write the type itself',
    'type: [string] # here',
  ),
  works(
    'a schema without `type` (`{}`)',
    'Schema',
    where((schema) => others(schema).length === 0),
    'any JSON',
    'description: Anything.',
  ),
  refused(
    'keywords of a type without that `type`',
    'Schema',
    keywordsBesideTheirType,
    'write the type beside it: without it the keyword holds for some values only',
    'minLength: 1 # here',
  ),
  works('`enum` of strings or numbers', 'Schema', has('enum'), '', 'type: string\nenum: [small, large]'),
  refused(
    '`enum` of several types, or without `type`',
    'Schema',
    where((schema) => schema.enum && typesOf(schema).length !== 1, 'enum'),
    'write the one type of its values beside it',
    'enum: [small, 1] # here',
  ),
  refused(
    '`enum` and `const` of objects or arrays',
    'Schema',
    any(
      where(
        ({ enum: values }) => values?.some((each: unknown) => typeof each === 'object' && each !== null),
        'enum',
      ),
      where(({ const: value }) => typeof value === 'object' && value !== null, 'const'),
    ),
    'describe the object by its properties',
    'const: { a: 1 } # here',
  ),
  works('`const`', 'Schema', has('const'), '', 'type: string\nconst: small'),
];
