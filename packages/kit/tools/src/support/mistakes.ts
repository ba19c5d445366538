import type { Json } from '../source-document.ts';
import { parameterKey } from '@kit/contract/described-operation';
import { any, isInherited, items, named, on, repeated, where, type Rule } from './rule.ts';
import { isValid } from './violation.ts';
import { SECTIONS } from './grammar.ts';
import { schemaMistakes } from './schema-mistakes.ts';

/** Such as clients make. */
const UUID = '8c7e0b0e-4d0f-4b1c-9a54-3f6d2b8a7e10';

/** What is wrong whether or not it is supported, beyond what the grammar finds. */
export const mistakes: readonly Rule[] = [
  on('Reference').mistake(
    'a component of this kind and name does not exist',
    where(({ $ref }, contract, { kind }) => {
      const [, section, name = ''] = /^#\/components\/(\w+)\/([^/]+)$/.exec($ref) ?? [];
      return (
        section &&
        (section !== SECTIONS[kind] || !Object.hasOwn(contract.document.components?.[section] ?? {}, name))
      );
    }, '$ref'),
    "$ref: '#/components/schemas/Ordr' # here",
  ),
  on('Reference').mistake(
    'the reference leads back to itself',
    where((value, contract) => contract.resolve(value)?.$ref !== undefined, '$ref'),
    '$ref: "#/components/schemas/Example" # here',
  ),
  on('Components').mistake(
    'the names of components are letters, digits and . _ -, but not what every object of JavaScript has',
    (components) =>
      [...Object.values(SECTIONS), 'securitySchemes'].flatMap((section) =>
        Object.keys(components[section] ?? {})
          .filter((name) => !/^[\w.-]+$/.test(name) || isInherited(name))
          .map((name) => [section, name]),
      ),
    'schemas:\n  A loan: { type: string } # here',
  ),
  on('Document').mistake(
    'the names of plans and error codes are letters, digits and _, but not what every object of JavaScript has',
    any(
      ...['x-rate-limit-plans', 'x-error-codes'].map((list) =>
        named((name) => !/^[a-z]\w*$/i.test(name) || isInherited(name), list),
      ),
    ),
    'x-error-codes:\n  loan-gone: { status: 410, description: It is gone. } # here',
  ),
  on('Paths').mistake(
    'the path has one parameter twice',
    named((path) => /(\{[^}]*\}).*\1/.test(path)),
    '/shops/{id}/loans/{id}: {} # here',
  ),
  on('Document').mistake(
    'another server has this name, which is the first word of its description',
    repeated('servers', ({ url, description }) =>
      /^https?:\/\/localhost\b/.test(url) ? 'local' : (/[a-z]+/i.exec(description)?.[0].toLowerCase() ?? ''),
    ),
    'servers:\n  - { url: https://one.example/v1, description: Production }\n  - { url: https://two.example/v1, description: Production too } # here',
  ),
  on('Operation').mistake(
    'the tag is not among the tags of the document',
    items(
      'tags',
      (tag, _operation, contract) => !contract.document.tags?.some(({ name }: Json) => name === tag),
    ),
    'tags:\n  - laons # here',
  ),
  on('Tag').mistake(
    'x-parent must name a tag of the document',
    where(
      (tag, contract) =>
        'x-parent' in tag && !contract.document.tags.some(({ name }: Json) => name === tag['x-parent']),
      'x-parent',
    ),
    'name: loans\nx-parent: stor # here',
  ),
  on('Tag').mistake(
    'x-parent leads back to the tag, which would be on no page',
    where((tag, contract) => {
      const tags: Json[] = contract.document.tags;
      const above = (each: Json) => tags.find(({ name }) => name === each?.['x-parent']);
      return tags.reduce(above, tag);
    }, 'x-parent'),
    'name: loans\nx-parent: loans # here',
  ),
  on('Parameter').mistake(
    'a path parameter must be required: true',
    (parameter) =>
      parameter.in === 'path' && parameter.required !== true
        ? [['required' in parameter ? 'required' : 'name']]
        : [],
    'name: loanId\nin: path\nrequired: false # here\nschema: { type: string }',
  ),
  on('Parameter').mistake(
    'a required parameter has no default: it is always given',
    where(
      (each, contract) => each.required && 'default' in (contract.resolve(each.schema) ?? {}),
      'required',
    ),
    'name: page\nin: query\nrequired: true # here\nschema: { type: integer, default: 1 }',
  ),
  on('Parameter').mistake(
    'a client that gives no Idempotency-Key sends a UUID: the schema must let it through',
    where(
      ({ in: place, name, schema }, contract) =>
        place === 'header' && /^idempotency-key$/i.test(name) && schema && !isValid(contract, schema, UUID),
      'name',
    ),
    'name: Idempotency-Key # here\nin: header\nschema: { type: string, maxLength: 20 }',
  ),
  on('Operation').mistake(
    'the parameter is declared twice',
    repeated('parameters', (each, contract) => parameterKey(contract.resolve(each))),
    'parameters:\n  - { name: X-Page, in: header, schema: { type: string } }\n  - { name: x-page, in: header, schema: { type: string } } # here',
  ),
  ...(['Response', 'RequestBody'] as const).map((kind): Rule =>
    on(kind).mistake(
      'content needs a media type, such as application/json',
      where(({ content }) => content && Object.keys(content).length === 0, 'content'),
      `${kind === 'Response' ? 'description: A loan.\n' : ''}content: {} # here`,
    ),
  ),
  on('SecurityRequirement').mistake(
    'the scheme is not among components.securitySchemes',
    (requirement, _node, contract) =>
      Object.keys(requirement)
        .filter((name) => !Object.hasOwn(contract.document.components?.securitySchemes ?? {}, name))
        .map((name) => [name]),
    'security:\n  - apikey: [] # here',
  ),
  on('SecurityScheme').mistake(
    'a security scheme of type http needs scheme: bearer or basic',
    where(({ type, scheme }) => type === 'http' && !scheme, 'type'),
    'type: http # here',
  ),
  on('SecurityScheme').mistake(
    'a security scheme of type apiKey needs name and in: header',
    where((scheme) => scheme.type === 'apiKey' && !(scheme.name && scheme.in), 'type'),
    'type: apiKey # here\nname: X-Api-Key',
  ),
  ...schemaMistakes,
];
