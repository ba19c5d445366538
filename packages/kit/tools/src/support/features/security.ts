import type { Json } from '../../source-document.ts';
import { is, named, on, where } from '../rule.ts';
import { NOT_FOR_CALLERS, TOKEN } from './header-names.ts';

export const securityFeatures = [
  on('SecurityScheme').refused(
    'a key in the query or in a cookie',
    is('in', 'query', 'cookie'),
    'type: apiKey\nin: query # here\nname: key',
    'write in: header; addresses are logged',
  ),
  on('SecurityScheme').refused(
    'a key in the header `Authorization`, or in one that belongs to HTTP, the pipeline or the browser',
    where(({ name = 'X' }) => NOT_FOR_CALLERS.test(name) || !TOKEN.test(name), 'name'),
    'type: apiKey\nin: header\nname: Authorization # here',
    'write type: http, scheme: bearer, or name another header',
  ),
  on('SecurityScheme').refused(
    'other schemes of HTTP (`digest`, …)',
    where(({ type, scheme }) => type === 'http' && scheme && !/^(bearer|basic)$/i.test(scheme), 'scheme'),
    'type: http\nscheme: digest # here',
    'write bearer or basic',
  ),
  on('SecurityScheme').refused(
    'OAuth 2, OpenID Connect and mutual TLS',
    is('type', 'oauth2', 'openIdConnect', 'mutualTLS'),
    'type: oauth2 # here',
    'write type: http, scheme: bearer, and in words where the token comes from',
  ),
  on('Components').refused(
    'two schemes that are sent in the same way',
    named(
      (name, scheme, { value: { securitySchemes } }) =>
        Object.entries<Json>(securitySchemes)
          .slice(0, Object.keys(securitySchemes).indexOf(name))
          .some(([, { type, scheme: word, name: header }]) => {
            const sent = (...parts: unknown[]) => parts.join(' ').toLowerCase();
            return sent(type, word, header) === sent(scheme.type, scheme.scheme, scheme.name);
          }),
      'securitySchemes',
    ),
    'securitySchemes:\n  other: { type: http, scheme: Bearer } # here',
    'keep one: which of them is meant could not be told',
  ),
  on('SecurityRequirement').refused(
    'bearer and basic at once',
    (requirement, _node, contract) => {
      const schemes: Json = contract.document.components?.securitySchemes ?? {};
      return Object.keys(requirement).filter((name) => schemes[name]?.type === 'http').length > 1 ? [[]] : [];
    },
    'security:\n  - { apiKey: [], basic: [] } # here',
    'write one of them: both are sent in Authorization',
  ),
  on('SecurityRequirement').refused(
    'scopes of a requirement',
    named((_name, scopes) => scopes.length > 0),
    'security:\n  - apiKey: [write] # here',
    'write an empty list: keys have no scopes',
  ),
];
