import type { Contract, Json } from '../../contract.ts';
import { on, where } from '../row.ts';
import { TOKEN } from './header-names.ts';

/** Whether an operation may ask for the scheme. What nothing asks for is documentation. */
const isUsed = (name: string, { document }: Contract) =>
  [document, ...Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item ?? {}))].some(
    (each) => Array.isArray(each?.security) && each.security.some((all: Json) => name in all),
  );

const used = (test: (scheme: Json) => unknown) => (components: Json, _place: unknown, contract: Contract) =>
  Object.entries<Json>(components.securitySchemes ?? {})
    .filter(([name, scheme]) => test(scheme) && isUsed(name, contract))
    .map(([name]) => ['securitySchemes', name]);

export const securityFeatures = [
  on('Components').refused(
    'a key in a cookie',
    used(({ in: place }) => place === 'cookie'),
    'securitySchemes:\n  apiKey: { type: apiKey, in: cookie, name: key } # here',
    'write in: header: a cookie would need protection against forged requests',
  ),
  on('Components').refused(
    'schemes of HTTP other than `bearer` and `basic`, and mutual TLS',
    used(
      ({ type, scheme }) => type === 'mutualTLS' || (type === 'http' && !/^(bearer|basic)$/i.test(scheme)),
    ),
    'securitySchemes:\n  apiKey: { type: http, scheme: digest } # here',
    'write bearer or basic',
  ),
  on('SecurityScheme').refused(
    'names of keys that are no tokens (RFC 9110 §5.6.2)',
    where(
      ({ type, in: place, name }) => type === 'apiKey' && place === 'header' && name && !TOKEN.test(name),
      'name',
    ),
    'type: apiKey\nin: header\nname: X Key # here',
    'write letters, digits and -',
  ),
  on('SecurityRequirement').refused(
    'two schemes at once that are both sent in `Authorization`',
    (requirement, _place, contract) => {
      const schemes: Json = contract.document.components?.securitySchemes ?? {};
      const words = Object.keys(requirement).map((name) => {
        const { type, scheme = 'bearer', name: header = '' } = schemes[name] ?? {};
        if (type === 'apiKey') return /^authorization$/i.test(header) ? 'key' : undefined;
        return scheme.toLowerCase();
      });
      return new Set(words.filter(Boolean)).size > 1 ? [[]] : [];
    },
    'security:\n  - { apiKey: [], basic: [] } # here',
    'write one of them',
  ),
];
