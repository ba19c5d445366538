import { parameterKey } from '@kit/contract/described-operation';
import type { Json } from '../contract.ts';
import { any, isInherited, named, on, repeated, where, type Refusal } from './row.ts';
import { schemaMistakes } from './features/schemas.ts';

/** What is wrong whether or not it is supported, beyond what the grammar finds. */
export const mistakes: readonly Refusal[] = [
  on('Components').mistake(
    'every object of JavaScript has something of this name: choose another',
    any(...['schemas', 'securitySchemes'].map((section) => named(isInherited, section))),
    'schemas:\n  constructor: { type: string } # here',
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
  on('Operation').mistake(
    'the parameter is declared twice',
    repeated('parameters', (each, contract) => parameterKey(contract.resolve(each) ?? {})),
    'parameters:\n  - { name: X-Page, in: header, schema: { type: string } }\n  - { name: x-page, in: header, schema: { type: string } } # here',
  ),
  on('SecurityRequirement').mistake(
    'the scheme is not among components.securitySchemes',
    (requirement, _place, contract) =>
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
