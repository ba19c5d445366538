import { anyOf, refused, typesOf, when, type Find } from '../../rule.ts';

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
  refused('Schema', {
    feature: 'lists of types other than one type and null (`type: [string, integer]`, `type: [string]`)',
    find: when(
      (schema) => typesOf(schema).length > 1 || (Array.isArray(schema.type) && schema.type.length < 2),
      'type',
    ),
    example: 'type: [string, integer] # here',
    advice: 'write oneOf, with one type in each, or the type itself',
  }),
  refused('Schema', {
    feature: 'keywords of a type without that `type`',
    find: keywordsBesideTheirType,
    example: 'minLength: 1 # here',
    advice:
      'write that type, or leave it out: with another or none the keyword holds for some values only, or for none',
  }),
  refused('Schema', {
    feature: '`enum` of several types, or without `type`',
    find: when((schema) => schema.enum && typesOf(schema).length !== 1, 'enum'),
    example: 'enum: [small, 1] # here',
    advice: 'write the one type of its values beside it',
  }),
  refused('Schema', {
    feature: '`enum` and `const` of objects or arrays',
    find: anyOf(
      when(
        ({ enum: values }) => values?.some((each: unknown) => typeof each === 'object' && each !== null),
        'enum',
      ),
      when(({ const: value }) => typeof value === 'object' && value !== null, 'const'),
    ),
    example: 'const: { a: 1 } # here',
    advice: 'describe the object by its properties',
  }),
];
