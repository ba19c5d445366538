import type { Json } from '../../contract.ts';
import { is, named, refused, where, works } from '../feature.ts';
import { NOT_FOR_CALLERS, TOKEN } from './header-names.ts';

export const securityFeatures = [
  works(
    'bearer keys (`type: http, scheme: bearer`)',
    'SecurityScheme',
    where(({ type, scheme }) => type === 'http' && /^bearer$/i.test(scheme), 'scheme'),
    '',
    'type: http\nscheme: bearer',
  ),
  works(
    'user and password (`type: http, scheme: basic`)',
    'SecurityScheme',
    where(({ type, scheme }) => type === 'http' && /^basic$/i.test(scheme), 'scheme'),
    '',
    'type: http\nscheme: basic',
  ),
  works(
    'a key in a header (`type: apiKey, in: header`)',
    'SecurityScheme',
    where(({ type, in: place }) => type === 'apiKey' && place === 'header', 'in'),
    '',
    'type: apiKey\nin: header\nname: X-Api-Key',
  ),
  refused(
    'a key in the query or in a cookie',
    'SecurityScheme',
    is('in', 'query', 'cookie'),
    'write in: header; addresses are logged',
    'type: apiKey\nin: query # here\nname: key',
  ),
  refused(
    'a key in the header `Authorization`, or in one that belongs to HTTP, the pipeline or the browser',
    'SecurityScheme',
    where(({ name = 'X' }) => NOT_FOR_CALLERS.test(name) || !TOKEN.test(name), 'name'),
    'write type: http, scheme: bearer, or name another header',
    'type: apiKey\nin: header\nname: Authorization # here',
  ),
  refused(
    'other schemes of HTTP (`digest`, …)',
    'SecurityScheme',
    where(({ type, scheme }) => type === 'http' && scheme && !/^(bearer|basic)$/i.test(scheme), 'scheme'),
    'write bearer or basic',
    'type: http\nscheme: digest # here',
  ),
  refused(
    'OAuth 2, OpenID Connect and mutual TLS',
    'SecurityScheme',
    is('type', 'oauth2', 'openIdConnect', 'mutualTLS'),
    'write type: http, scheme: bearer, and in words where the token comes from',
    'type: oauth2 # here\nflows: {}',
  ),
  refused(
    'two schemes that are sent in the same way',
    'Components',
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
    'keep one: which of them is meant could not be told',
    'securitySchemes:\n  other: { type: http, scheme: Bearer } # here',
  ),
  works(
    '`security` of the document and of an operation',
    'Operation',
    where(({ security }) => security?.length > 0, 'security'),
    'that of the operation replaces that of the document',
    'security: [{ apiKey: [] }]',
  ),
  works(
    '`security: []`',
    'Operation',
    where(({ security }) => security?.length === 0, 'security'),
    'open to everyone, without a key',
    'security: []',
  ),
  works(
    'alternatives of schemes',
    'Operation',
    where(({ security }) => security?.length > 1, 'security'),
    'one of them is enough',
    'security: [{ apiKey: [] }, { other: [] }]',
  ),
  works(
    'several schemes at once',
    'SecurityRequirement',
    where((requirement) => Object.keys(requirement).length > 1),
    'all of them, with the same key',
    'security: [{ apiKey: [], other: [] }]',
  ),
  refused(
    'bearer and basic at once',
    'SecurityRequirement',
    (requirement, _place, { contract }) => {
      const schemes: Json = contract.document.components?.securitySchemes ?? {};
      return Object.keys(requirement).filter((name) => schemes[name]?.type === 'http').length > 1 ? [[]] : [];
    },
    'write one of them: both are sent in Authorization',
    'security:\n  - { apiKey: [], basic: [] } # here',
  ),
  works(
    'optional security (`{}` among alternatives)',
    'SecurityRequirement',
    where((requirement) => Object.keys(requirement).length === 0),
    'open to everyone; a key that is sent is known to the handler',
    'security: [{ apiKey: [] }, {}]',
  ),
  refused(
    'scopes of a requirement',
    'SecurityRequirement',
    named((_name, scopes) => scopes.length > 0),
    'write an empty list: keys have no scopes',
    'security:\n  - apiKey: [write] # here',
  ),
];
