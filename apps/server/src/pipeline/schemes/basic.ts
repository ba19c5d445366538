import type { Scheme } from './scheme.ts';

const BASIC = /^basic +([a-z0-9+/]*={0,2})$/i;

/** `type: http, scheme: basic`: the key is the password, whoever the user is (RFC 7617 §2). */
export function basic(): Scheme {
  return {
    header: 'Authorization',
    form: 'Authorization: Basic <base64 of ":" and API_KEY>',
    keyIn(value) {
      const [, encoded] = BASIC.exec(value) ?? [];
      if (encoded === undefined) return undefined;
      const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
      return password;
    },
    challenge: () => 'Basic realm="petstore", charset="UTF-8"',
  };
}
