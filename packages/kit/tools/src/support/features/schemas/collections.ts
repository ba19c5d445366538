import type { Json } from '../../../source-document.ts';
import { leadsTo } from '../../../schema-graph.ts';
import { fieldOf, refused, typesOf, when } from '../../rule.ts';
import { composing } from './composition.ts';

export const collectionFeatures = [
  refused('Schema', {
    feature: '`uniqueItems` of anything but scalars of one type',
    find: when((schema, { contract }) => {
      const [of = '', ...more] = typesOf(contract.resolve(schema.items));
      const isScalar = ['string', 'integer', 'number', 'boolean'].includes(of) && more.length === 0;
      return schema.uniqueItems === true && !isScalar;
    }, 'uniqueItems'),
    example: 'type: array\nitems: { type: object, additionalProperties: true }\nuniqueItems: true # here',
    advice: 'check it in the handler, by what makes two of them the same',
  }),
  refused('Schema', {
    feature: 'arrays without `items`',
    find: when((schema) => typesOf(schema).includes('array') && !schema.items, 'type'),
    example: 'type: array # here',
    advice: 'write items: {} if anything may be in them',
  }),
  refused('Schema', {
    feature: '`properties` beside `additionalProperties` with a schema, in another part of an `allOf` too',
    find: ({ properties, additionalProperties, allOf = [] }, { contract }) => {
      const parts: Json[] = [{ properties, additionalProperties }, ...allOf];
      const is = (part: Json, test: (schema: Json) => Json) => leadsTo(contract, [part], test, composing);
      const isMap = (index: number) =>
        is(parts[index], (each) => typeof each.additionalProperties === 'object');
      const isBeside = (index: number) =>
        parts.some((part, at) => (at !== index || at === 0) && is(part, (each) => each.properties));
      return [...parts.keys()]
        .filter((index) => isMap(index) && isBeside(index))
        .map((index) => (index === 0 ? ['additionalProperties'] : ['allOf', index - 1]));
    },
    example:
      'allOf:\n  - $ref: "#/components/schemas/Tagged"\n  - { type: object, additionalProperties: { type: integer } } # here',
    advice: 'give the map a property of its own: TypeScript has no such type',
  }),
  refused('Schema', {
    feature: 'objects that say nothing of their properties',
    find: when(
      (schema, { node }) =>
        typesOf(schema).includes('object') &&
        Object.keys(schema.properties ?? {}).length === 0 &&
        !('additionalProperties' in schema) &&
        !(schema.allOf ?? schema.oneOf ?? schema.anyOf) &&
        !(schema.required && fieldOf(node) === 'allOf'),
      'type',
    ),
    example: 'type: object # here\nproperties: {}',
    advice: 'name one, or write additionalProperties: true',
  }),
];
