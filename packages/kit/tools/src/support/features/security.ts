import type { Json } from '../../source-document.ts';
import { fieldIs, eachName, refused, when } from '../rule.ts';
import { NOT_FOR_CALLERS, TOKEN } from './header-names.ts';

export const securityFeatures = [
  refused('SecurityScheme', {
    feature: 'a key in the query or in a cookie',
    find: fieldIs('in', 'query', 'cookie'),
    example: 'type: apiKey\nin: query # here\nname: key',
    advice: 'write in: header; addresses are logged',
  }),
  refused('SecurityScheme', {
    feature:
      'a key in the header `Authorization`, or in one that belongs to HTTP, the pipeline or the browser',
    find: when(({ name = 'X' }) => NOT_FOR_CALLERS.test(name) || !TOKEN.test(name), 'name'),
    example: 'type: apiKey\nin: header\nname: Authorization # here',
    advice: 'write type: http, scheme: bearer, or name another header',
  }),
  refused('SecurityScheme', {
    feature: 'other schemes of HTTP (`digest`, …)',
    find: when(
      ({ type, scheme }) => type === 'http' && scheme && !/^(bearer|basic)$/i.test(scheme),
      'scheme',
    ),
    example: 'type: http\nscheme: digest # here',
    advice: 'write bearer or basic',
  }),
  refused('SecurityScheme', {
    feature: 'OAuth 2, OpenID Connect and mutual TLS',
    find: fieldIs('type', 'oauth2', 'openIdConnect', 'mutualTLS'),
    example: 'type: oauth2 # here',
    advice: 'write type: http, scheme: bearer, and in words where the token comes from',
  }),
  refused('Components', {
    feature: 'two schemes that are sent in the same way',
    find: eachName(
      (
        name,
        scheme,
        {
          node: {
            value: { securitySchemes },
          },
        },
      ) =>
        Object.entries<Json>(securitySchemes)
          .slice(0, Object.keys(securitySchemes).indexOf(name))
          .some(([, { type, scheme: word, name: header }]) => {
            const sent = (...parts: unknown[]) => parts.join(' ').toLowerCase();
            return sent(type, word, header) === sent(scheme.type, scheme.scheme, scheme.name);
          }),
      'securitySchemes',
    ),
    example: 'securitySchemes:\n  other: { type: http, scheme: Bearer } # here',
    advice: 'keep one: which of them is meant could not be told',
  }),
  refused('SecurityRequirement', {
    feature: 'bearer and basic at once',
    find: (requirement, { contract }) => {
      const schemes: Json = contract.document.components?.securitySchemes ?? {};
      return Object.keys(requirement).filter((name) => schemes[name]?.type === 'http').length > 1 ? [[]] : [];
    },
    example: 'security:\n  - { apiKey: [], basic: [] } # here',
    advice: 'write one of them: both are sent in Authorization',
  }),
  refused('SecurityRequirement', {
    feature: 'scopes of a requirement',
    find: eachName((_name, scopes) => scopes.length > 0),
    example: 'security:\n  - apiKey: [write] # here',
    advice: 'write an empty list: keys have no scopes',
  }),
];
