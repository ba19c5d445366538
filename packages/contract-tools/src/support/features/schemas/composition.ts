import type { Json } from '../../../contract.ts';
import { leadsTo, within } from '../../../schema-graph.ts';
import { others } from './others.ts';
import { has, refused, where, works, type Find, type Scope } from '../../feature.ts';

/** The parts of a composition, their references followed. */
const partsOf = (schema: Json, { contract }: Scope, keyword: string): Json[] =>
  (schema[keyword] ?? []).map((part: Json) => contract.resolve(part) ?? {});

/** What a branch of a `oneOf` says of the property that tells the branches apart. */
function tagsOf(branch: Json, property: string, scope: Scope): unknown[] {
  const schema = scope.contract.resolve(branch) ?? {};
  const own = scope.contract.resolve(schema.properties?.[property]);
  if (own && schema.required?.includes(property)) return 'const' in own ? [own.const] : (own.enum ?? []);
  return partsOf(schema, scope, 'allOf').flatMap((part) => tagsOf(part, property, scope));
}

const untagged: Find = (schema, _place, scope) => {
  const { propertyName, mapping } = schema.discriminator ?? {};
  if (!propertyName || !schema.oneOf) return [];
  return schema.oneOf.flatMap((branch: Json, index: number) => {
    const tags = tagsOf(branch, propertyName, scope);
    const mapped = Object.entries(mapping ?? {}).filter(([, target]) => target === branch.$ref);
    const wanted = mapping ? mapped.map(([tag]) => tag) : [String(branch.$ref).split('/').at(-1)];
    const same = wanted.length === tags.length && wanted.every((tag) => tags.includes(tag));
    return branch.$ref && tags.length > 0 && same ? [] : [['oneOf', index]];
  });
};

/** The schemas that hold of a value together with `schema`, or in its place. */
export const composing = ({ allOf, oneOf, anyOf }: Json): Json[] => [allOf, oneOf, anyOf].flat();

/** The schemas in `schema` that its values lead to without the name of a field. */
const withoutFields = ({ items, allOf, oneOf, anyOf }: Json): Json[] => [items, allOf, oneOf, anyOf].flat();

export const compositionFeatures = [
  refused('`if`, `then`, `else`', 'Schema', has('if', 'then', 'else'), 'write oneOf', 'if: {} # here'),
  refused('`not`', 'Schema', has('not'), 'say what is allowed: enum, pattern or oneOf', 'not: {} # here'),
  works(
    '`allOf`',
    'Schema',
    has('allOf'),
    '',
    'allOf: [{ type: object, properties: { name: { type: string } } }]',
  ),
  refused(
    '`additionalProperties: false` beside or within `allOf`',
    'Schema',
    (schema, _place, scope) => {
      if (!schema.allOf) return [];
      const isClosed = (part: Json) =>
        leadsTo(scope.contract, [part], (each) => each.additionalProperties === false, composing);
      const closed = schema.allOf.flatMap((part: Json, index: number) =>
        isClosed(part) ? [['allOf', index]] : [],
      );
      return schema.additionalProperties === false ? [['additionalProperties'], ...closed] : closed;
    },
    'leave it out, or write one object: each part would refuse the properties of the others',
    'allOf:\n  - { type: object, properties: {}, additionalProperties: false } # here\n  - { type: object, properties: { name: { type: string } } }',
  ),
  works('`oneOf`', 'Schema', has('oneOf'), '', 'oneOf: [{ type: string }, { type: integer }]'),
  works('`anyOf`', 'Schema', has('anyOf'), '', "anyOf: [{ type: string }, { type: 'null' }]"),
  refused(
    '`oneOf` or `anyOf` beside other keywords',
    'Schema',
    (schema) =>
      ['oneOf', 'anyOf']
        .filter(
          (keyword) =>
            keyword in schema && others(schema, keyword, 'discriminator', 'readOnly', 'writeOnly').length > 0,
        )
        .map((keyword) => [keyword]),
    'write allOf: [{ oneOf: … }, { … }]',
    'type: object\nadditionalProperties: true\noneOf: [{ type: object, additionalProperties: true }] # here',
  ),
  works(
    '`oneOf` with `discriminator`',
    'Schema',
    has('discriminator'),
    'each branch is a `$ref` to an object that requires the property, with a const or enum that is what the mapping (or else the name of the schema) says',
    'oneOf:\n  - $ref: "#/components/schemas/Tagged"\ndiscriminator: { propertyName: kind }',
  ),
  refused(
    'a discriminator whose branches do not say their tag',
    'Schema',
    untagged,
    'refer to an object that requires the property, with const: the tag',
    'oneOf:\n  - { type: object, additionalProperties: true } # here\ndiscriminator: { propertyName: kind }',
  ),
  refused(
    '`discriminator` without `oneOf`',
    'Schema',
    where(({ discriminator, oneOf }) => discriminator && !oneOf, 'discriminator'),
    'write oneOf: [the schemas], and const for the property of each',
    'type: object\nadditionalProperties: true\ndiscriminator: { propertyName: kind } # here',
  ),
  works(
    'recursion',
    'Schema',
    where(
      (schema, { contract }) =>
        schema.properties && leadsTo(contract, within(schema), (each) => each === schema),
    ),
    'through a property or items',
    'type: object\nproperties: { next: { $ref: "#/components/schemas/Example" } }',
  ),
  refused(
    'recursion through arrays alone, without an object between',
    'Schema',
    where(
      (schema, { contract }) =>
        schema.items && leadsTo(contract, withoutFields(schema), (each) => each === schema, withoutFields),
      'items',
    ),
    'put an object between them: TypeScript has no name for such a type',
    'type: array\nitems: { $ref: "#/components/schemas/Example" } # here',
  ),
];
