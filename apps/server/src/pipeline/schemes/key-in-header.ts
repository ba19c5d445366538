import type { Description, Scheme } from './scheme.ts';

/** `type: apiKey, in: header`: the key is the whole value. */
export function keyInHeader({ name = '' }: Description): Scheme {
  return {
    header: name,
    form: `${name}: <API_KEY>`,
    keyIn: (value) => value,
    // No scheme of that name is registered, but RFC 9110 §15.5.2 asks for a challenge.
    challenge: () => `ApiKey realm="petstore", header="${name}"`,
  };
}
