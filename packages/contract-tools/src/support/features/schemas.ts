import type { Json } from '../../contract.ts';
import {
  any,
  fieldOf,
  has,
  is,
  named,
  refused,
  typesOf,
  where,
  works,
  type Find,
  type Scope,
} from '../feature.ts';

/** The keywords that constrain values of one type only. */
const KEYWORDS_OF: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
};
const ANNOTATIONS = ['title', 'description', '$comment', 'example', 'examples', 'deprecated', 'externalDocs'];
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
const isDocumented = (name: string) => ANNOTATIONS.includes(name) || name.startsWith('x-');

const others = (schema: Json, ...known: readonly string[]) =>
  Object.keys(schema).filter((name) => !known.includes(name) && !isDocumented(name));

const keywordsBesideTheirType: Find = (schema) =>
  Object.entries(KEYWORDS_OF).flatMap(([type, keywords]) => {
    const fits = typesOf(schema).some((each) => each === type || (type === 'number' && each === 'integer'));
    return fits || '$ref' in schema ? [] : keywords.filter((name) => name in schema).map((name) => [name]);
  });

/** The parts of a composition, their references followed. */
const partsOf = (schema: Json, { contract }: Scope, keyword: string): Json[] =>
  (schema[keyword] ?? []).map((part: Json) => contract.resolve(part) ?? {});

/** Whether `schema`, or what it holds or refers to, has `keyword`. */
function holds(schema: Json, keyword: string, scope: Scope, seen = new Set<Json>()): boolean {
  const value = scope.contract.resolve(schema);
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  if (keyword in value) return true;
  const below = [
    value.items,
    value.additionalProperties,
    ...Object.values(value.properties ?? {}),
    ...['allOf', 'oneOf', 'anyOf'].flatMap((each) => value[each] ?? []),
  ];
  return below.some((each) => holds(each, keyword, scope, seen));
}

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

const type = (...names: readonly string[]) =>
  where((schema) => names.includes(typesOf(schema)[0] ?? ''), 'type');

export const schemaFeatures = [
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
    'a regular expression of JavaScript, read with the flag u',
    'type: string\npattern: ^[a-z]+$',
  ),
  refused(
    'flags of a pattern (`/abc/i`, `(?i)`, `(?i:…)`)',
    'Schema',
    where(({ pattern }) => FLAGS.test(pattern), 'pattern'),
    'write both cases, such as [Aa][Bb]',
    'type: string\npattern: (?i)abc # here',
  ),
  works(
    '`minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`',
    'Schema',
    has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
    '',
    'type: number\nexclusiveMinimum: 0',
  ),
  refused(
    '`exclusiveMinimum: true` of OpenAPI 3.0',
    'Schema',
    any(is('exclusiveMinimum', true, false), is('exclusiveMaximum', true, false)),
    'write the bound itself: exclusiveMinimum: 0',
    'type: number\nminimum: 0\nexclusiveMinimum: true # here',
  ),
  works('`multipleOf` a whole number', 'Schema', has('multipleOf'), '', 'type: integer\nmultipleOf: 5'),
  refused(
    '`multipleOf` a fraction',
    'Schema',
    where(
      ({ multipleOf }) => multipleOf !== undefined && !(Number.isInteger(multipleOf) && multipleOf > 0),
      'multipleOf',
    ),
    'count in a smaller unit, such as cents: fractions are not exact in binary',
    'type: number\nmultipleOf: 0.01 # here',
  ),
  refused(
    'whole numbers beyond 2^53−1 as a bound, default or example',
    'Schema',
    named((name, value) => name !== 'multipleOf' && Number.isInteger(value) && !Number.isSafeInteger(value)),
    'leave it out: it would be rounded',
    'type: integer\nmaximum: 9223372036854775807 # here',
  ),
  refused(
    '`enum`, `const` and `multipleOf` of int64',
    'Schema',
    (schema) =>
      schema.format === 'int64'
        ? ['enum', 'const', 'multipleOf'].filter((name) => name in schema).map((name) => [name])
        : [],
    'leave out format: int64 where the values are few',
    'type: integer\nformat: int64\nenum: [1, 2] # here',
  ),
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
    'type: array\nitems: { type: object, properties: {} }\nuniqueItems: true # here',
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
        !schema.properties &&
        !('additionalProperties' in schema) &&
        !schema.allOf &&
        !(schema.required && fieldOf(place) === 'allOf'),
      'type',
    ),
    'write properties, or additionalProperties: true',
    'type: object # here',
  ),
  refused(
    '`patternProperties`, `propertyNames`',
    'Schema',
    has('patternProperties', 'propertyNames'),
    'write properties, or additionalProperties',
    'type: object\nproperties: {}\npatternProperties: {} # here',
  ),
  refused(
    '`dependentRequired`, `dependentSchemas`, `dependencies`',
    'Schema',
    has('dependentRequired', 'dependentSchemas', 'dependencies'),
    'write oneOf, with one object in each',
    'type: object\nproperties: {}\ndependentRequired: {} # here',
  ),
  refused(
    '`unevaluatedProperties`, `unevaluatedItems`',
    'Schema',
    has('unevaluatedProperties', 'unevaluatedItems'),
    'write additionalProperties: false into one object with all properties',
    'type: object\nproperties: {}\nunevaluatedProperties: false # here',
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
      const closed = partsOf(schema, scope, 'allOf').flatMap(({ additionalProperties: more }, index) =>
        more === false ? [['allOf', index]] : [],
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
    'type: object\nproperties: {}\noneOf: [{ type: object, properties: {} }] # here',
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
    'oneOf:\n  - { type: object, properties: {} } # here\ndiscriminator: { propertyName: kind }',
  ),
  refused(
    '`discriminator` without `oneOf`',
    'Schema',
    where(({ discriminator, oneOf }) => discriminator && !oneOf, 'discriminator'),
    'write oneOf: [the schemas], and const for the property of each',
    'type: object\nproperties: {}\ndiscriminator: { propertyName: kind } # here',
  ),
  works(
    'recursion',
    'Schema',
    where((schema, scope) => schema.properties && recurs(schema, schema, scope)),
    'through a property or items',
    'type: object\nproperties: { next: { $ref: "#/components/schemas/Example" } }',
  ),
  refused(
    'recursion through arrays alone, without an object between',
    'Schema',
    where((schema, scope) => schema.items && holdsItself(schema, schema, scope), 'items'),
    'put an object between them: TypeScript has no name for such a type',
    'type: array\nitems: { $ref: "#/components/schemas/Example" } # here',
  ),
  works(
    '`default` of a parameter or a property',
    'Schema',
    has('default'),
    'optional for the client even if required, always there for the handler',
    'type: object\nproperties: { count: { type: integer, default: 1 } }',
  ),
  refused(
    '`default` elsewhere (in components, items, whole bodies, headers)',
    'Schema',
    where(
      (schema, _scope, place) =>
        'default' in schema &&
        place.parent?.kind !== 'Parameter' &&
        !['properties', 'oneOf', 'anyOf'].includes(String(fieldOf(place))),
      'default',
    ),
    'write it at each property or parameter that it is meant for',
    'type: integer\ndefault: 1 # here',
  ),
  refused(
    '`default` within `oneOf` or `anyOf`',
    'Schema',
    (schema, _place, scope) =>
      ['oneOf', 'anyOf'].flatMap((keyword) =>
        (schema[keyword] ?? []).flatMap((branch: Json, index: number) =>
          holds(branch, 'default', scope) ? [[keyword, index]] : [],
        ),
      ),
    'leave it out: which branch it belongs to is not known yet',
    'oneOf:\n  - { type: string, default: a } # here',
  ),
  works(
    '`readOnly` properties',
    'Schema',
    is('readOnly', true),
    'not in requests, even if required: sent all the same, it is refused with 400',
    'type: object\nproperties: { id: { type: integer, readOnly: true } }',
  ),
  works(
    '`writeOnly` properties',
    'Schema',
    is('writeOnly', true),
    'not in replies, even if required',
    'type: object\nproperties: { secret: { type: string, writeOnly: true } }',
  ),
  refused(
    '`readOnly` and `writeOnly` elsewhere than at a property',
    'Schema',
    (schema, place) =>
      fieldOf(place) === 'properties'
        ? []
        : ['readOnly', 'writeOnly'].filter((name) => name in schema).map((name) => [name]),
    'write it at each property that it is meant for',
    'type: string\nreadOnly: true # here',
  ),
  works(
    '`title`, `description`, `example`, `examples`, `deprecated`, `$comment`',
    'Schema',
    has('example'),
    '',
    'type: string\nexample: Rex',
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
  refused('`xml`', 'Schema', has('xml'), 'leave it out: bodies are JSON', 'type: string\nxml: {} # here'),
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

/** Whether `from` leads back to `schema` without a property between. */
function holdsItself(schema: Json, from: Json, scope: Scope, seen = new Set<Json>()): boolean {
  const below = [from.items ?? [], ...['allOf', 'oneOf', 'anyOf'].flatMap((each) => from[each] ?? [])].flat();
  return below.some((each: Json) => {
    const value = scope.contract.resolve(each);
    if (value === schema) return true;
    if (typeof value !== 'object' || value === null || seen.has(value)) return false;
    seen.add(value);
    return holdsItself(schema, value, scope, seen);
  });
}

/** Whether `from` leads back to `schema`. */
function recurs(schema: Json, from: Json, scope: Scope, seen = new Set<Json>()): boolean {
  const below = [
    from.items,
    from.additionalProperties,
    ...Object.values(from.properties ?? {}),
    ...['allOf', 'oneOf', 'anyOf'].flatMap((each) => from[each] ?? []),
  ];
  return below.some((each) => {
    const value = scope.contract.resolve(each);
    if (value === schema) return true;
    if (typeof value !== 'object' || value === null || seen.has(value)) return false;
    seen.add(value);
    return recurs(schema, value, scope, seen);
  });
}

export const referenceFeatures = [
  works(
    '`$ref` to the components of the contract',
    'Reference',
    where(({ $ref }) => /^#\/components\/\w+\/[^/]+$/.test($ref), '$ref'),
    '',
    '$ref: "#/components/schemas/Tagged"',
  ),
  refused(
    '`$ref` to another file or address',
    'Reference',
    where(({ $ref }) => !String($ref).startsWith('#'), '$ref'),
    'the contract is one file: move it into components',
    '$ref: ./order.yaml#/Order # here',
  ),
  refused(
    '`$ref` to anything but a component',
    'Reference',
    where(({ $ref }) => /^#/.test($ref) && !/^#\/components\/\w+\/[^/]+$/.test($ref), '$ref'),
    'give it a name in components',
    '$ref: "#/components/schemas/Error/properties/code" # here',
  ),
  refused(
    'schemas called `ErrorBody`, `….sent` or `….received`',
    'Components',
    named((name) => /^ErrorBody$|\.(sent|received)$/.test(name), 'schemas'),
    'give it another name: these are what is made of a schema, and the published name of Error',
    'schemas:\n  Tagged.sent: { type: string } # here',
  ),
  refused(
    'keywords beside the `$ref` of a schema',
    'Schema',
    (schema) => ('$ref' in schema ? others(schema, '$ref').map((name) => [name]) : []),
    'write allOf: [{ $ref }] and the keyword beside it, or into the schema it refers to',
    'type: object\nproperties:\n  id:\n    $ref: "#/components/schemas/Tagged"\n    readOnly: true # here',
  ),
  refused(
    '`$id`, `$schema`, `$anchor`, `$dynamicRef`, `$dynamicAnchor`, `$recursiveRef`, `$vocabulary`',
    'Schema',
    has(
      '$id',
      '$schema',
      '$anchor',
      '$dynamicRef',
      '$dynamicAnchor',
      '$recursiveRef',
      '$recursiveAnchor',
      '$vocabulary',
      'id',
    ),
    'leave it out: schemas are named by components',
    'type: string\n$anchor: name # here',
  ),
  refused(
    '`$defs`, `definitions`',
    'Schema',
    has('$defs', 'definitions'),
    'move them into components.schemas',
    'type: string\n$defs: {} # here',
  ),
];
