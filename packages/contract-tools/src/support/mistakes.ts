import { resolve } from '@petstore/contract/json-pointer';
import type { Json } from '../contract.ts';
import {
  any,
  fieldOf,
  isInherited,
  named,
  typesOf,
  where,
  type Find,
  type Mistake,
  type Scope,
} from './feature.ts';
import { FLAGS } from './features/schemas.ts';
import { fits } from './fits.ts';
import { SECTIONS } from './grammar.ts';
import type { Place } from './walk.ts';

const COMPOSITIONS = ['allOf', 'oneOf', 'anyOf'];

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

const crossed = (low: string, high: string) => where((schema) => schema[low] > schema[high], low);

const repeated =
  (field: string, keyOf: (item: Json, scope: Scope) => string): Find =>
  (value, _place, scope) => {
    const keys: string[] = (value[field] ?? []).map((each: Json) => keyOf(each, scope));
    return keys.flatMap((key, index) => (keys.indexOf(key) < index ? [[field, index]] : []));
  };

/** The properties that `schema` or the parts of its `allOf` have. */
function propertiesOf(schema: Json, scope: Scope, seen: Json[] = []): string[] {
  const value = scope.contract.resolve(schema) ?? {};
  if (seen.includes(value)) return [];
  const parts: Json[] = value.allOf ?? [];
  return [
    ...Object.keys(value.properties ?? {}),
    ...parts.flatMap((part) => propertiesOf(part, scope, [...seen, value])),
  ];
}

/** The schema that a part of an `allOf` is a part of. */
function wholeOf(place: Place): Json {
  return place.parent && fieldOf(place) === 'allOf' ? wholeOf(place.parent) : place.value;
}

/** Whether `from` is `to`, or leads there by references and compositions alone, which say nothing of a value. */
function leadsBack(to: Json, from: Json, document: Json, seen = new Set<Json>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  const below: Json[] = from.$ref
    ? [resolve(document, from.$ref)]
    : COMPOSITIONS.flatMap((keyword) => from[keyword] ?? []);
  return below.some((each) => leadsBack(to, each, document, seen));
}

/** What is wrong whether or not it is supported, beyond what the grammar finds. */
export const mistakes: readonly Mistake[] = [
  {
    message: 'a component of this kind and name does not exist',
    on: 'Reference',
    find: where(({ $ref }, { contract }, { kind }) => {
      const [, section, name = ''] = /^#\/components\/(\w+)\/([^/]+)$/.exec($ref) ?? [];
      return (
        section &&
        (section !== SECTIONS[kind] || !Object.hasOwn(contract.document.components?.[section] ?? {}, name))
      );
    }, '$ref'),
    example: "$ref: '#/components/schemas/Ordr' # here",
  },
  {
    message: 'the reference leads back to itself',
    on: 'Reference',
    find: where((value, { contract }) => contract.resolve(value)?.$ref !== undefined, '$ref'),
    example: '$ref: "#/components/schemas/Example" # here',
  },
  {
    message: 'the schema leads back to itself, and says nothing of a value: break the circle with a property',
    on: 'Schema',
    find: (schema, _place, { contract }) =>
      COMPOSITIONS.filter((keyword) =>
        schema[keyword]?.some((part: Json) => leadsBack(schema, part, contract.document)),
      ).map((keyword) => [keyword]),
    example: 'allOf: [{ $ref: "#/components/schemas/Example" }] # here',
  },
  {
    message:
      'the names of components are letters, digits and . _ -, but not what every object of JavaScript has',
    on: 'Components',
    find: (components) =>
      Object.values(SECTIONS).flatMap((section) =>
        Object.keys(components[section] ?? {})
          .filter((name) => !/^[\w.-]+$/.test(name) || isInherited(name))
          .map((name) => [section, name]),
      ),
    example: 'schemas:\n  An order: { type: string } # here',
  },
  {
    message:
      'the names of plans and error codes are letters, digits and _, but not what every object of JavaScript has',
    on: 'Document',
    find: any(
      ...['x-rate-limit-plans', 'x-error-codes'].map((list) =>
        named((name) => !/^[a-z]\w*$/i.test(name) || isInherited(name), list),
      ),
    ),
    example: 'x-error-codes:\n  order-gone: { status: 410, description: It is gone. } # here',
  },
  {
    message: 'the path has one parameter twice',
    on: 'Paths',
    find: named((path) => /(\{[^}]*\}).*\1/.test(path)),
    example: '/shops/{id}/orders/{id}: {} # here',
  },
  {
    message: 'another server has this name, which is the first word of its description',
    on: 'Document',
    find: repeated('servers', ({ url, description }) =>
      /^https?:\/\/localhost\b/.test(url) ? 'local' : (/[a-z]+/i.exec(description)?.[0].toLowerCase() ?? ''),
    ),
    example:
      'servers:\n  - { url: https://one.example/v1, description: Production }\n  - { url: https://two.example/v1, description: Production too } # here',
  },
  {
    message: 'the tag is not among the tags of the document',
    on: 'Operation',
    find: ({ tags = [] }, _place, { contract }) =>
      tags.flatMap((tag: string, index: number) =>
        contract.document.tags?.some(({ name }: Json) => name === tag) ? [] : [['tags', index]],
      ),
    example: 'tags:\n  - ordres # here',
  },
  {
    message: 'the tag is declared twice',
    on: 'Document',
    find: repeated('tags', ({ name }) => name),
    example: 'tags:\n  - { name: orders }\n  - { name: orders } # here',
  },
  {
    message: 'x-parent must name a tag of the document',
    on: 'Tag',
    find: where(
      (tag, { contract }) =>
        'x-parent' in tag && !contract.document.tags.some(({ name }: Json) => name === tag['x-parent']),
      'x-parent',
    ),
    example: 'name: orders\nx-parent: stor # here',
  },
  {
    message: 'a path parameter must be required: true',
    on: 'Parameter',
    find: (parameter) =>
      parameter.in === 'path' && parameter.required !== true
        ? [['required' in parameter ? 'required' : 'name']]
        : [],
    example: 'name: orderId\nin: path\nrequired: false # here\nschema: { type: string }',
  },
  {
    message: 'the parameter needs a schema',
    on: 'Parameter',
    find: where(({ schema, content }) => !schema && !content, 'name'),
    example: 'name: page # here\nin: query',
  },
  {
    message: 'the header needs a schema',
    on: 'Response',
    find: named((_name, { $ref, schema, content }) => !$ref && !schema && !content, 'headers'),
    example: 'description: Done.\nheaders:\n  X-Total: # here\n    description: How many.',
  },
  {
    message: 'a required parameter has no default: it is always given',
    on: 'Parameter',
    find: where(
      (each, { contract }) => each.required && 'default' in (contract.resolve(each.schema) ?? {}),
      'required',
    ),
    example: 'name: page\nin: query\nrequired: true # here\nschema: { type: integer, default: 1 }',
  },
  {
    message: 'the parameter is declared twice',
    on: 'Operation',
    find: repeated('parameters', (each, { contract }) => {
      const { in: place, name } = contract.resolve(each) ?? {};
      return `${place} ${place === 'header' ? String(name).toLowerCase() : name}`;
    }),
    example:
      'parameters:\n  - { name: X-Page, in: header, schema: { type: string } }\n  - { name: x-page, in: header, schema: { type: string } } # here',
  },
  {
    message: 'content needs a media type, such as application/json',
    on: 'Response',
    find: where(({ content }) => content && Object.keys(content).length === 0, 'content'),
    example: 'description: An order.\ncontent: {} # here',
  },
  {
    message: 'content needs a media type, such as application/json',
    on: 'RequestBody',
    find: where(({ content }) => Object.keys(content).length === 0, 'content'),
    example: 'content: {} # here',
  },
  {
    message: 'write example or examples, not both',
    on: 'MediaType',
    find: where((media) => 'example' in media && 'examples' in media, 'examples'),
    example:
      'description: A name.\ncontent:\n  application/json:\n    schema: { type: string }\n    example: Rex\n    examples: {} # here',
  },
  {
    message: 'the scheme is not among components.securitySchemes',
    on: 'SecurityRequirement',
    find: (requirement, _place, { contract }) =>
      Object.keys(requirement)
        .filter((name) => !Object.hasOwn(contract.document.components?.securitySchemes ?? {}, name))
        .map((name) => [name]),
    example: 'security:\n  - apikey: [] # here',
  },
  {
    message: 'a security scheme of type http needs scheme: bearer or basic',
    on: 'SecurityScheme',
    find: where(({ type, scheme }) => type === 'http' && !scheme, 'type'),
    example: 'type: http # here',
  },
  {
    message: 'a security scheme of type apiKey needs name and in: header',
    on: 'SecurityScheme',
    find: where((scheme) => scheme.type === 'apiKey' && !(scheme.name && scheme.in), 'type'),
    example: 'type: apiKey # here\nname: X-Api-Key',
  },
  {
    message: 'required names a property that the schema does not have',
    on: 'Schema',
    find: (schema, place, scope) => {
      const known = propertiesOf(wholeOf(place), scope);
      return (schema.required ?? []).flatMap((name: string, index: number) =>
        known.includes(name) ? [] : [['required', index]],
      );
    },
    example: 'type: object\nrequired:\n  - nam # here\nproperties: { name: { type: string } }',
  },
  {
    message: 'the default does not fit the schema',
    on: 'Schema',
    find: where(
      (schema, { contract }) => 'default' in schema && !fits(contract, schema, schema.default),
      'default',
    ),
    example:
      'type: object\nproperties:\n  count:\n    type: integer\n    maximum: 100\n    default: 500 # here',
  },
  {
    message: 'the value is there twice',
    on: 'Schema',
    find: repeated('enum', (value) => JSON.stringify(value)),
    example: 'type: string\nenum:\n  - small\n  - small # here',
  },
  {
    message: 'every object of JavaScript has something of this name: choose another',
    on: 'Schema',
    find: named(isInherited, 'properties'),
    example: 'type: object\nproperties:\n  __proto__: { type: string } # here',
  },
  {
    message: 'every object of JavaScript has something of this name: choose another',
    on: 'Response',
    find: named(isInherited, 'headers'),
    example: 'description: Done.\nheaders:\n  constructor: { schema: { type: string } } # here',
  },
  ...['allOf', 'oneOf', 'anyOf', 'enum'].map((list): Mistake => ({
    message: `${list} needs an item`,
    on: 'Schema',
    find: where((schema) => schema[list]?.length === 0, list),
    example: `${list === 'enum' ? 'type: string\n' : ''}${list}: [] # here`,
  })),
  {
    message: 'the value does not fit the type',
    on: 'Schema',
    find: ({ enum: values = [], ...schema }, _place, { contract }) =>
      typesOf(schema).length === 1
        ? values.flatMap((value: Json, index: number) =>
            fits(contract, schema, value) ? [] : [['enum', index]],
          )
        : [],
    example: 'type: integer\nenum:\n  - 1\n  - two # here',
  },
  {
    message: 'the value does not fit the type',
    on: 'Schema',
    find: where(
      ({ const: value, ...schema }, { contract }) =>
        value !== undefined && 'type' in schema && !fits(contract, schema, value),
      'const',
    ),
    example: 'type: integer\nconst: two # here',
  },
  {
    message: "the type allows null, but enum does not: add null to it, or leave 'null' out",
    on: 'Schema',
    find: where(
      ({ type, enum: values }) => values && [type].flat().includes('null') && !values.includes(null),
      'enum',
    ),
    example: "type: [string, 'null']\nenum: [small, large] # here",
  },
  {
    message: 'the pattern is not a regular expression (of JavaScript, with the flag u)',
    on: 'Schema',
    find: where(
      ({ pattern }) => pattern !== undefined && !FLAGS.test(pattern) && !isPattern(pattern),
      'pattern',
    ),
    example: "type: string\npattern: '[a-' # here",
  },
  ...(['Length', 'Items', 'Properties'] as const).map((of): Mistake => ({
    message: 'the least is above the most',
    on: 'Schema',
    find: crossed(`min${of}`, `max${of}`),
    example: `${{ Length: 'type: string', Items: 'type: array\nitems: {}', Properties: 'type: object\nproperties: {}' }[of]}\nmin${of}: 3 # here\nmax${of}: 2`,
  })),
  {
    message: 'the least is above the most',
    on: 'Schema',
    find: crossed('minimum', 'maximum'),
    example: 'type: integer\nminimum: 3 # here\nmaximum: 2',
  },
  {
    message: 'a property cannot be readOnly and writeOnly: nobody could ever see it',
    on: 'Schema',
    find: where(({ readOnly, writeOnly }) => readOnly && writeOnly, 'writeOnly'),
    example:
      'type: object\nproperties:\n  id:\n    type: integer\n    readOnly: true\n    writeOnly: true # here',
  },
];
