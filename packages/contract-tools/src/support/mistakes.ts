import type { Json } from '../contract.ts';
import { any, isInherited, named, repeated, where, type Mistake } from './feature.ts';
import { fits } from './fits.ts';
import { SECTIONS, type Kind } from './grammar.ts';
import { schemaMistakes } from './schema-mistakes.ts';
import { unsatisfiable } from './unsatisfiable.ts';

/** Such as clients make. */
const UUID = '8c7e0b0e-4d0f-4b1c-9a54-3f6d2b8a7e10';

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
    message:
      'the names of components are letters, digits and . _ -, but not what every object of JavaScript has',
    on: 'Components',
    find: (components) =>
      [...Object.values(SECTIONS), 'securitySchemes'].flatMap((section) =>
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
    message: 'x-parent leads back to the tag, which would be on no page',
    on: 'Tag',
    find: where((tag, { contract }) => {
      const tags: Json[] = contract.document.tags;
      const above = (each: Json) => tags.find(({ name }) => name === each?.['x-parent']);
      return tags.reduce(above, tag);
    }, 'x-parent'),
    example: 'name: orders\nx-parent: orders # here',
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
    message: 'a client that gives no Idempotency-Key sends a UUID: the schema must let it through',
    on: 'Parameter',
    find: where(
      ({ in: place, name, schema }, { contract }) =>
        place === 'header' && /^idempotency-key$/i.test(name) && schema && !fits(contract, schema, UUID),
      'name',
    ),
    example: 'name: Idempotency-Key # here\nin: header\nschema: { type: string, maxLength: 20 }',
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
  ...Object.entries({
    MediaType:
      'content:\n  application/json:\n    example: Rex\n    schema: { type: string }\n    examples: {} # here',
    Parameter: 'name: page\nin: query\nschema: { type: string }\nexample: Rex\nexamples: {} # here',
    Header: 'schema: { type: string }\nexample: Rex\nexamples: {} # here',
  } as const).map(([kind, example]): Mistake => ({
    message: 'write example or examples, not both',
    on: kind as Kind,
    find: where((shown) => 'example' in shown && 'examples' in shown, 'examples'),
    example,
  })),
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
    message: 'every object of JavaScript has something of this name: choose another',
    on: 'Response',
    find: named(isInherited, 'headers'),
    example: 'description: Done.\nheaders:\n  constructor: { schema: { type: string } } # here',
  },
  ...schemaMistakes,
  ...unsatisfiable,
];
