import type { Credential } from './credential.ts';

const FORMS = {
  Bearer: 'Authorization: Bearer <API_KEY>',
  Basic: 'Authorization: Basic <base64 of ":" and API_KEY>',
} as const;

/** Tells a person what to send, in Markdown. */
export function formOf({ in: place, name, prefix }: Credential): string {
  const plain = place === 'query' ? `?${name}=<API_KEY>` : `${name}: <API_KEY>`;
  return `\`${prefix === '' ? plain : FORMS[prefix]}\``;
}

/**
 * The `WWW-Authenticate` of a 401 (RFC 9110 §11.6.1); `isInvalid` if a key was sent so, and perhaps why, in characters that
 * need no quoting.
 */
export function challengeOf(
  { in: place, name, prefix }: Credential,
  realm: string,
  isInvalid: boolean,
  why?: string,
): string {
  if (prefix === 'Bearer') {
    // RFC 6750 §3: `invalid_token` only if a token was sent.
    const error = isInvalid ? ', error="invalid_token"' : '';
    return `Bearer realm="${realm}"${error}${isInvalid && why ? `, error_description="${why}"` : ''}`;
  }
  if (prefix === 'Basic') return `Basic realm="${realm}", charset="UTF-8"`;
  // The name is not registered, but RFC 9110 §15.5.2 requires a challenge.
  return `ApiKey realm="${realm}", ${place}="${name}"`;
}
