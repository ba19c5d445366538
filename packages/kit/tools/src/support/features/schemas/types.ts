import { any, on, typesOf, where, type Find } from '../../rule.ts';

const { refused } = on('Schema');

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

export const typeFeatures = [
  refused(
    'lists of types other than one type and null (`type: [string, integer]`, `type: [string]`)',
    where(
      (schema) => typesOf(schema).length > 1 || (Array.isArray(schema.type) && schema.type.length < 2),
      'type',
    ),
    'type: [string, integer] # here',
    'write oneOf, with one type in each, or the type itself',
  ),
  refused(
    'keywords of a type without that `type`',
    keywordsBesideTheirType,
    'minLength: 1 # here',
    'write that type, or leave it out: with another or none the keyword holds for some values only, or for none',
  ),
  refused(
    '`enum` of several types, or without `type`',
    where((schema) => schema.enum && typesOf(schema).length !== 1, 'enum'),
    'enum: [small, 1] # here',
    'write the one type of its values beside it',
  ),
  refused(
    '`enum` and `const` of objects or arrays',
    any(
      where(
        ({ enum: values }) => values?.some((each: unknown) => typeof each === 'object' && each !== null),
        'enum',
      ),
      where(({ const: value }) => typeof value === 'object' && value !== null, 'const'),
    ),
    'const: { a: 1 } # here',
    'describe the object by its properties',
  ),
];
