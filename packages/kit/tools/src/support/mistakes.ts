import type { Json } from '../source-document.ts';
import { parameterKey } from '@kit/contract/described-operation';
import { anyOf, isInherited, eachItem, mistake, eachName, repeatedItems, when, type Rule } from './rule.ts';
import { isValid } from './violation.ts';
import { SECTIONS } from './grammar.ts';
import { schemaMistakes } from './schema-mistakes.ts';

/** Such as clients make. */
const UUID = '8c7e0b0e-4d0f-4b1c-9a54-3f6d2b8a7e10';

/** What is wrong whether or not it is supported, beyond what the grammar finds. */
export const mistakes: readonly Rule[] = [
  mistake('Reference', {
    message: 'a component of this kind and name does not exist',
    find: when(({ $ref }, { contract, node: { kind } }) => {
      const [, section, name = ''] = /^#\/components\/(\w+)\/([^/]+)$/.exec($ref) ?? [];
      return (
        section &&
        (section !== SECTIONS[kind] || !Object.hasOwn(contract.document.components?.[section] ?? {}, name))
      );
    }, '$ref'),
    example: "$ref: '#/components/schemas/Ordr' # here",
  }),
  mistake('Reference', {
    message: 'the reference leads back to itself',
    find: when((value, { contract }) => contract.resolve(value)?.$ref !== undefined, '$ref'),
    example: '$ref: "#/components/schemas/Example" # here',
  }),
  mistake('Components', {
    message:
      'the names of components are letters, digits and . _ -, but not what every object of JavaScript has',
    find: (components) =>
      [...Object.values(SECTIONS), 'securitySchemes'].flatMap((section) =>
        Object.keys(components[section] ?? {})
          .filter((name) => !/^[\w.-]+$/.test(name) || isInherited(name))
          .map((name) => [section, name]),
      ),
    example: 'schemas:\n  A loan: { type: string } # here',
  }),
  mistake('Document', {
    message:
      'the names of plans and error codes are letters, digits and _, but not what every object of JavaScript has',
    find: anyOf(
      ...['x-rate-limit-plans', 'x-error-codes'].map((list) =>
        eachName((name) => !/^[a-z]\w*$/i.test(name) || isInherited(name), list),
      ),
    ),
    example: 'x-error-codes:\n  loan-gone: { status: 410, description: It is gone. } # here',
  }),
  mistake('Paths', {
    message: 'the path has one parameter twice',
    find: eachName((path) => /(\{[^}]*\}).*\1/.test(path)),
    example: '/shops/{id}/loans/{id}: {} # here',
  }),
  mistake('Document', {
    message: 'another server has this name, which is the first word of its description',
    find: repeatedItems('servers', ({ url, description }) =>
      /^https?:\/\/localhost\b/.test(url) ? 'local' : (/[a-z]+/i.exec(description)?.[0].toLowerCase() ?? ''),
    ),
    example:
      'servers:\n  - { url: https://one.example/v1, description: Production }\n  - { url: https://two.example/v1, description: Production too } # here',
  }),
  mistake('Operation', {
    message: 'the tag is not among the tags of the document',
    find: eachItem(
      'tags',
      (tag, { contract }) => !contract.document.tags?.some(({ name }: Json) => name === tag),
    ),
    example: 'tags:\n  - laons # here',
  }),
  mistake('Tag', {
    message: 'x-parent must name a tag of the document',
    find: when(
      (tag, { contract }) =>
        'x-parent' in tag && !contract.document.tags.some(({ name }: Json) => name === tag['x-parent']),
      'x-parent',
    ),
    example: 'name: loans\nx-parent: stor # here',
  }),
  mistake('Tag', {
    message: 'x-parent leads back to the tag, which would be on no page',
    find: when((tag, { contract }) => {
      const tags: Json[] = contract.document.tags;
      const above = (each: Json) => tags.find(({ name }) => name === each?.['x-parent']);
      return tags.reduce(above, tag);
    }, 'x-parent'),
    example: 'name: loans\nx-parent: loans # here',
  }),
  mistake('Parameter', {
    message: 'a path parameter must be required: true',
    find: (parameter) =>
      parameter.in === 'path' && parameter.required !== true
        ? [['required' in parameter ? 'required' : 'name']]
        : [],
    example: 'name: loanId\nin: path\nrequired: false # here\nschema: { type: string }',
  }),
  mistake('Parameter', {
    message: 'a required parameter has no default: it is always given',
    find: when(
      (each, { contract }) => each.required && 'default' in (contract.resolve(each.schema) ?? {}),
      'required',
    ),
    example: 'name: page\nin: query\nrequired: true # here\nschema: { type: integer, default: 1 }',
  }),
  mistake('Parameter', {
    message: 'a client that gives no Idempotency-Key sends a UUID: the schema must let it through',
    find: when(
      ({ in: place, name, schema }, { contract }) =>
        place === 'header' && /^idempotency-key$/i.test(name) && schema && !isValid(contract, schema, UUID),
      'name',
    ),
    example: 'name: Idempotency-Key # here\nin: header\nschema: { type: string, maxLength: 20 }',
  }),
  mistake('Operation', {
    message: 'the parameter is declared twice',
    find: repeatedItems('parameters', (each, contract) => parameterKey(contract.resolve(each))),
    example:
      'parameters:\n  - { name: X-Page, in: header, schema: { type: string } }\n  - { name: x-page, in: header, schema: { type: string } } # here',
  }),
  ...(['Response', 'RequestBody'] as const).map((kind): Rule =>
    mistake(kind, {
      message: 'content needs a media type, such as application/json',
      find: when(({ content }) => content && Object.keys(content).length === 0, 'content'),
      example: `${kind === 'Response' ? 'description: A loan.\n' : ''}content: {} # here`,
    }),
  ),
  mistake('SecurityRequirement', {
    message: 'the scheme is not among components.securitySchemes',
    find: (requirement, { contract }) =>
      Object.keys(requirement)
        .filter((name) => !Object.hasOwn(contract.document.components?.securitySchemes ?? {}, name))
        .map((name) => [name]),
    example: 'security:\n  - apikey: [] # here',
  }),
  mistake('SecurityScheme', {
    message: 'a security scheme of type http needs scheme: bearer or basic',
    find: when(({ type, scheme }) => type === 'http' && !scheme, 'type'),
    example: 'type: http # here',
  }),
  mistake('SecurityScheme', {
    message: 'a security scheme of type apiKey needs name and in: header',
    find: when((scheme) => scheme.type === 'apiKey' && !(scheme.name && scheme.in), 'type'),
    example: 'type: apiKey # here\nname: X-Api-Key',
  }),
  ...schemaMistakes,
];
