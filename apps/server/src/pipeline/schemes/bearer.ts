import type { Scheme } from './scheme.ts';

// RFC 9110 §11.1: the scheme is case-insensitive.
const BEARER = /^bearer +/i;

/** `type: http, scheme: bearer`: the key is the token (RFC 6750 §2.1). */
export function bearer(): Scheme {
  return {
    header: 'Authorization',
    form: 'Authorization: Bearer <API_KEY>',
    keyIn(value) {
      const [scheme] = BEARER.exec(value) ?? [];
      return scheme && value.slice(scheme.length);
    },
    // RFC 6750 §3: `invalid_token` only where a token was sent.
    challenge: (isInvalid) => `Bearer realm="petstore"${isInvalid ? ', error="invalid_token"' : ''}`,
  };
}
