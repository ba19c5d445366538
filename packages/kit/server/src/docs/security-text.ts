import { credentialOf, type SecurityScheme } from '@contract-kit/core/http';
import { codeText } from './fields.ts';
import { alternativesOf, type Operation } from './openapi.ts';

/* Security as Markdown. */

export function schemeText(scheme: SecurityScheme): string {
  const { in: place = 'header', name = '', prefix = '' } = credentialOf(scheme) ?? {};
  const sentence = {
    header: 'The key in the header',
    query: 'The key in the query, as',
    cookie: 'The key in the cookie',
  }[place];
  const text =
    scheme.description ?? `${sentence} ${codeText(name)}${prefix && `, after ${codeText(prefix)}`}.`;
  return scheme.deprecated === true ? `**Deprecated.** ${text}` : text;
}

/** The alternatives of security schemes, in words. */
export function securityText(operation: Operation): string {
  const words = alternativesOf(operation).map((names) =>
    names.length === 0 ? 'no key' : names.map(codeText).join(' with '),
  );
  return words.join(' or ');
}

/** Whether it needs no key at all. */
export function needsNoKey(operation: Operation): boolean {
  return alternativesOf(operation).every((names) => names.length === 0);
}
