import { fieldOf, has, is, refused, typesOf, where, works } from '../../feature.ts';

export const collectionFeatures = [
  works(
    '`minItems`, `maxItems`, `uniqueItems`',
    'Schema',
    has('minItems', 'maxItems', 'uniqueItems'),
    '',
    'type: array\nitems: { type: string }\nuniqueItems: true',
  ),
  refused(
    '`uniqueItems` of anything but scalars of one type',
    'Schema',
    where((schema, { contract }) => {
      const [of = '', ...more] = typesOf(contract.resolve(schema.items));
      const isScalar = ['string', 'integer', 'number', 'boolean'].includes(of) && more.length === 0;
      return schema.uniqueItems === true && !isScalar;
    }, 'uniqueItems'),
    'check it in the handler, by what makes two of them the same',
    'type: array\nitems: { type: object, additionalProperties: true }\nuniqueItems: true # here',
  ),
  refused(
    'arrays without `items`',
    'Schema',
    where((schema) => typesOf(schema).includes('array') && !schema.items, 'type'),
    'write items: {} if anything may be in them',
    'type: array # here',
  ),
  works(
    'maps (`additionalProperties` with a schema)',
    'Schema',
    where(({ additionalProperties: more }) => typeof more === 'object', 'additionalProperties'),
    '',
    'type: object\nadditionalProperties: { type: integer }',
  ),
  works(
    '`additionalProperties: true` or `false`',
    'Schema',
    is('additionalProperties', true, false),
    '',
    'type: object\nadditionalProperties: true',
  ),
  works(
    '`minProperties`, `maxProperties`',
    'Schema',
    has('minProperties', 'maxProperties'),
    '',
    'type: object\nadditionalProperties: true\nmaxProperties: 8',
  ),
  refused(
    '`properties` beside `additionalProperties` with a schema',
    'Schema',
    where(
      ({ properties, additionalProperties: more }) => properties && typeof more === 'object',
      'additionalProperties',
    ),
    'give the map a property of its own: TypeScript has no such type',
    'type: object\nproperties: { name: { type: string } }\nadditionalProperties: { type: integer } # here',
  ),
  refused(
    'objects that say nothing of their properties',
    'Schema',
    where(
      (schema, _scope, place) =>
        typesOf(schema).includes('object') &&
        Object.keys(schema.properties ?? {}).length === 0 &&
        !('additionalProperties' in schema) &&
        !schema.allOf &&
        !(schema.required && fieldOf(place) === 'allOf'),
      'type',
    ),
    'name one, or write additionalProperties: true',
    'type: object # here\nproperties: {}',
  ),
  refused(
    '`patternProperties`, `propertyNames`',
    'Schema',
    has('patternProperties', 'propertyNames'),
    'write properties, or additionalProperties',
    'type: object\nadditionalProperties: true\npatternProperties: {} # here',
  ),
  refused(
    '`dependentRequired`, `dependentSchemas`, `dependencies`',
    'Schema',
    has('dependentRequired', 'dependentSchemas', 'dependencies'),
    'write oneOf, with one object in each',
    'type: object\nadditionalProperties: true\ndependentRequired: {} # here',
  ),
  refused(
    '`unevaluatedProperties`, `unevaluatedItems`',
    'Schema',
    has('unevaluatedProperties', 'unevaluatedItems'),
    'write additionalProperties: false into one object with all properties',
    'type: object\nadditionalProperties: true\nunevaluatedProperties: false # here',
  ),
  refused(
    '`prefixItems`, `additionalItems`',
    'Schema',
    has('prefixItems', 'additionalItems'),
    'write an object, with a name for each item',
    'type: array\nitems: {}\nprefixItems: [] # here',
  ),
  refused(
    '`contains`, `minContains`, `maxContains`',
    'Schema',
    has('contains', 'minContains', 'maxContains'),
    'check it in the handler',
    'type: array\nitems: {}\ncontains: {} # here',
  ),
];
