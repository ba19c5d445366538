import type { SourceDocument, Json } from '../../../source-document.ts';
import { leadsTo } from '../../../schema-graph.ts';
import { keywordsBeside } from './keywords.ts';
import { any, items, on, where } from '../../rule.ts';

const { refused } = on('Schema');

/** What a branch of a `oneOf` says of the property that tells the branches apart. */
function tagsOf(branch: Json, property: string, contract: SourceDocument): unknown[] {
  const { properties, required, allOf = [] } = contract.resolve(branch) ?? {};
  const own = contract.resolve(properties?.[property]);
  if (own && required?.includes(property)) return 'const' in own ? [own.const] : (own.enum ?? []);
  return allOf.flatMap((part: Json) => tagsOf(part, property, contract));
}

const untagged = items('oneOf', (branch, { discriminator }, contract) => {
  if (!discriminator) return false;
  const { propertyName, mapping } = discriminator;
  const tags = tagsOf(branch, propertyName, contract);
  const nameOf = (reference: unknown) => String(reference).split('/').at(-1);
  const mapped = Object.entries(mapping ?? {}).filter(([, target]) => nameOf(target) === nameOf(branch.$ref));
  const wanted = mapping ? mapped.map(([tag]) => tag) : [nameOf(branch.$ref)];
  const isSame = wanted.length === tags.length && wanted.every((tag) => tags.includes(tag));
  return !(branch.$ref && tags.length > 0 && isSame);
});

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
  refused(
    '`additionalProperties: false` beside or within `allOf`',
    any(
      where((schema) => schema.allOf && schema.additionalProperties === false, 'additionalProperties'),
      items('allOf', (part, _schema, contract) =>
        leadsTo(contract, [part], (each) => each.additionalProperties === false, composing),
      ),
    ),
    'allOf:\n  - { type: object, properties: {}, additionalProperties: false } # here\n  - { type: object, properties: { name: { type: string } } }',
    'leave it out, or write one object: each part would refuse the properties of the others',
  ),
  refused(
    '`oneOf` or `anyOf` beside other keywords',
    (schema, _node, contract) =>
      ['oneOf', 'anyOf']
        .filter(
          (keyword) =>
            keyword in schema &&
            keywordsBeside(schema, keyword, ...BESIDE, ...(isTypeOfAll(schema, contract) ? ['type'] : []))
              .length > 0,
        )
        .map((keyword) => [keyword]),
    'type: object\nadditionalProperties: true\noneOf: [{ type: object, additionalProperties: true }] # here',
    'leave out what each branch says itself; write the rest into allOf: [{ oneOf: … }, { … }]',
  ),
  refused(
    'a discriminator whose branches do not say their tag',
    untagged,
    'oneOf:\n  - { type: object, additionalProperties: true } # here\ndiscriminator: { propertyName: kind }',
    'refer to an object that requires the property, with const: the tag',
  ),
  refused(
    '`discriminator` without `oneOf`',
    where(({ discriminator, oneOf }) => discriminator && !oneOf, 'discriminator'),
    'type: object\nadditionalProperties: true\ndiscriminator: { propertyName: kind } # here',
    'write oneOf: [the schemas], and const for the property of each',
  ),
  refused(
    'recursion through arrays alone, without an object between',
    where(
      (schema, contract) =>
        schema.items && leadsTo(contract, withoutFields(schema), (each) => each === schema, withoutFields),
      'items',
    ),
    'type: array\nitems: { $ref: "#/components/schemas/Example" } # here',
    'put an object between them: TypeScript has no name for such a type',
  ),
];
