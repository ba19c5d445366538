import { keyText, type Credential, type CredentialWord } from './credential.ts';

/** Tells a person what to send, in Markdown. */
export function formOf({ in: place, name, prefix }: Credential, word: CredentialWord = 'API key'): string {
  const key = word === 'token' ? 'TOKEN' : 'API_KEY';
  const sent = prefix === 'Basic' ? `Basic <base64 of ":" and ${key}>` : keyText(prefix, `<${key}>`);
  const before = { header: `${name}: `, query: `?${name}=`, cookie: `Cookie: ${name}=` }[place];
  return `\`${before}${sent}\``;
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
