import { parameterKey } from '@kit/contract/described-operation';
import type { Json } from '../source-document.ts';
import { anyOf, isInherited, eachName, mistake, repeatedItems, when, type Rule } from './rule.ts';
import { parameterMistakes } from './features/parameters.ts';
import { schemaMistakes } from './features/schemas.ts';

/** Mistakes that the grammar does not find. */
export const mistakes: readonly Rule[] = [
  mistake('Components', {
    message: 'every JavaScript object has a member with this name: choose another',
    find: anyOf(...['schemas', 'securitySchemes'].map((section) => eachName(isInherited, section))),
    example: 'schemas:\n  constructor: { type: string } # here',
  }),
  mistake('Document', {
    message:
      'the names of plans and error codes are letters, digits and _, but not members of every JavaScript object',
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
    message: 'x-parent leads back to the tag, so no page would have it',
    find: when((tag, { contract }) => {
      const tags: Json[] = contract.document.tags;
      const above = (json: Json) => tags.find(({ name }) => name === json?.['x-parent']);
      return tags.reduce(above, tag);
    }, 'x-parent'),
    example: 'name: loans\nx-parent: loans # here',
  }),
  mistake('Operation', {
    message: 'the parameter is declared twice',
    find: repeatedItems('parameters', (item, contract) => parameterKey(contract.resolve(item) ?? {})),
    example:
      'parameters:\n  - { name: X-Page, in: header, schema: { type: string } }\n  - { name: x-page, in: header, schema: { type: string } } # here',
  }),
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
  ...parameterMistakes,
  ...schemaMistakes,
];
