import type { SourceDocument, Json } from '@contract-kit/core/openapi';
import { invalid, unsupported, when, type Context, TOKEN } from '../rule.ts';

/** Whether an operation may require the scheme. Unused schemes are documentation. */
const isUsed = (name: string, contract: SourceDocument) => {
  const { document } = contract;
  const items = Object.values<Json>(document.paths ?? {});
  const operations = items.flatMap((item) => Object.values<Json>(contract.resolve(item) ?? {}));
  return [document, ...operations].some(
    (holder) => Array.isArray(holder?.security) && holder.security.some((all: Json) => name in all),
  );
};

const used =
  (test: (scheme: Json) => unknown) =>
  (components: Json, { contract }: Context) =>
    Object.entries<Json>(components.securitySchemes ?? {})
      .filter(([name, scheme]) => test(contract.resolve(scheme) ?? {}) && isUsed(name, contract))
      .map(([name]) => ['securitySchemes', name]);

export const securityRules = [
  unsupported('Components', {
    feature: 'HTTP schemes other than `bearer` and `basic`, and mutual TLS',
    find: used(
      ({ type, scheme }) =>
        type === 'mutualTLS' || (type === 'http' && scheme && !/^(bearer|basic)$/i.test(scheme)),
    ),
    example: 'securitySchemes:\n  apiKey: { type: http, scheme: digest } # here',
    advice: 'write bearer or basic',
  }),
  unsupported('SecurityScheme', {
    feature: 'names of keys that are not tokens (RFC 9110 §5.6.2)',
    find: when(
      ({ type, in: place, name }) => type === 'apiKey' && place !== 'query' && name && !TOKEN.test(name),
      'name',
    ),
    example: 'type: apiKey\nin: header\nname: X Key # here',
    advice: 'write letters, digits and -',
  }),
  unsupported('SecurityRequirement', {
    feature: 'two schemes at once that are both sent in `Authorization`',
    find: (requirement, { contract }) => {
      const schemes: Json = contract.document.components?.securitySchemes ?? {};
      const words = Object.keys(requirement).map((name) => {
        const { type, scheme = 'bearer', name: header = '' } = contract.resolve(schemes[name]) ?? {};
        if (type === 'apiKey') return /^authorization$/i.test(header) ? 'key' : undefined;
        // Another rule refuses the others.
        return /^(bearer|basic)$/i.test(scheme) ? scheme.toLowerCase() : undefined;
      });
      return new Set(words.filter(Boolean)).size > 1 ? [[]] : [];
    },
    example: 'security:\n  - { apiKey: [], basic: [] } # here',
    advice: 'write one of them',
  }),
  invalid('SecurityRequirement', {
    message:
      'the scheme {name} is not among components.securitySchemes: declare it there, or correct the name',
    find: (requirement, { contract }) =>
      Object.keys(requirement)
        .filter((name) => !Object.hasOwn(contract.document.components?.securitySchemes ?? {}, name))
        .map((name) => [name]),
    example: 'security:\n  - apikey: [] # here',
  }),
  invalid('SecurityScheme', {
    message: 'type http needs scheme: bearer or basic; type apiKey needs name and in: header',
    find: when(
      ({ type, scheme, name, in: place }) =>
        (type === 'http' && !scheme) || (type === 'apiKey' && !(name && place)),
      'type',
    ),
    example: 'type: apiKey # here\nname: X-Api-Key',
  }),
];
