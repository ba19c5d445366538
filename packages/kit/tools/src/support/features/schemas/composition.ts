import type { SourceDocument, Json } from '../../../source-document.ts';
import { leadsTo } from '../../../schema-graph.ts';
import { keywordsBeside } from './keywords.ts';
import { anyOf, eachItem, refused, when } from '../../rule.ts';

/** What a branch of a `oneOf` says of the property that tells the branches apart. */
function tagsOf(branch: Json, property: string, contract: SourceDocument): unknown[] {
  const { properties, required, allOf = [] } = contract.resolve(branch) ?? {};
  const own = contract.resolve(properties?.[property]);
  if (own && required?.includes(property)) return 'const' in own ? [own.const] : (own.enum ?? []);
  return allOf.flatMap((part: Json) => tagsOf(part, property, contract));
}

const untagged = eachItem(
  'oneOf',
  (
    branch,
    {
      contract,
      node: {
        value: { discriminator },
      },
    },
  ) => {
    if (!discriminator) return false;
    const { propertyName, mapping } = discriminator;
    const tags = tagsOf(branch, propertyName, contract);
    const nameOf = (reference: unknown) => String(reference).split('/').at(-1);
    const mapped = Object.entries(mapping ?? {}).filter(
      ([, target]) => nameOf(target) === nameOf(branch.$ref),
    );
    const wanted = mapping ? mapped.map(([tag]) => tag) : [nameOf(branch.$ref)];
    const isSame = wanted.length === tags.length && wanted.every((tag) => tags.includes(tag));
    return !(branch.$ref && tags.length > 0 && isSame);
  },
);

/** What may stand beside `oneOf` and `anyOf`. */
const BESIDE = ['discriminator', 'readOnly', 'writeOnly'];

/** Whether the type of a schema is that of each of its branches too. */
function isTypeOfAll({ type, oneOf, anyOf }: Json, contract: SourceDocument): boolean {
  const branches: Json[] = oneOf ?? anyOf ?? [];
  return branches.length > 0 && type && branches.every((branch) => contract.resolve(branch)?.type === type);
}

/** The schemas that hold of a value together with `schema`, or in its place. */
export const composing = ({ allOf, oneOf, anyOf }: Json): Json[] => [allOf, oneOf, anyOf].flat();

/** The schemas in `schema` that its values lead to without the name of a field. */
const withoutFields = ({ items, allOf, oneOf, anyOf }: Json): Json[] => [items, allOf, oneOf, anyOf].flat();

export const compositionFeatures = [
  refused('Schema', {
    feature: '`additionalProperties: false` beside or within `allOf`',
    find: anyOf(
      when((schema) => schema.allOf && schema.additionalProperties === false, 'additionalProperties'),
      eachItem('allOf', (part, { contract }) =>
        leadsTo(contract, [part], (each) => each.additionalProperties === false, composing),
      ),
    ),
    example:
      'allOf:\n  - { type: object, properties: {}, additionalProperties: false } # here\n  - { type: object, properties: { name: { type: string } } }',
    advice: 'leave it out, or write one object: each part would refuse the properties of the others',
  }),
  refused('Schema', {
    feature: '`oneOf` or `anyOf` beside other keywords',
    find: (schema, { contract }) =>
      ['oneOf', 'anyOf']
        .filter(
          (keyword) =>
            keyword in schema &&
            keywordsBeside(schema, keyword, ...BESIDE, ...(isTypeOfAll(schema, contract) ? ['type'] : []))
              .length > 0,
        )
        .map((keyword) => [keyword]),
    example:
      'type: object\nadditionalProperties: true\noneOf: [{ type: object, additionalProperties: true }] # here',
    advice: 'leave out what each branch says itself; write the rest into allOf: [{ oneOf: … }, { … }]',
  }),
  refused('Schema', {
    feature: 'a discriminator whose branches do not say their tag',
    find: untagged,
    example:
      'oneOf:\n  - { type: object, additionalProperties: true } # here\ndiscriminator: { propertyName: kind }',
    advice: 'refer to an object that requires the property, with const: the tag',
  }),
  refused('Schema', {
    feature: '`discriminator` without `oneOf`',
    find: when(({ discriminator, oneOf }) => discriminator && !oneOf, 'discriminator'),
    example: 'type: object\nadditionalProperties: true\ndiscriminator: { propertyName: kind } # here',
    advice: 'write oneOf: [the schemas], and const for the property of each',
  }),
  refused('Schema', {
    feature: 'recursion through arrays alone, without an object between',
    find: when(
      (schema, { contract }) =>
        schema.items && leadsTo(contract, withoutFields(schema), (each) => each === schema, withoutFields),
      'items',
    ),
    example: 'type: array\nitems: { $ref: "#/components/schemas/Example" } # here',
    advice: 'put an object between them: TypeScript has no name for such a type',
  }),
];
