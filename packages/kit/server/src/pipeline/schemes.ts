import type { Contract } from '@kit/contract';

/** How a request carries an API key by one kind of security scheme (OpenAPI 3.1 §4.8.27). */
export interface Scheme {
  /** The header of the key, otherwise the query parameter. */
  readonly header?: string;
  readonly query?: string;
  /** Tells a person what to send. */
  readonly form: string;
  /** The key in a value, valid or not; undefined if the value belongs to another scheme. */
  readonly keyIn: (value: string) => string | undefined;
  /** The `WWW-Authenticate` of a 401 (RFC 9110 §11.6.1); `isInvalid` if a key was sent by this scheme. */
  readonly challenge: (isInvalid: boolean) => string;
}

interface Description {
  readonly type?: string;
  readonly scheme?: string;
  readonly in?: string;
  readonly name?: string;
}

// RFC 9110 §11.1: the scheme is case-insensitive.
const BEARER = /^bearer +/i;
const BASIC = /^basic +([a-z0-9+/]*={0,2})$/i;

/** The key is the token (RFC 6750 §2.1). */
const bearer = (_description: Description, realm: string): Scheme => ({
  header: 'Authorization',
  form: 'Authorization: Bearer <API_KEY>',
  keyIn(value) {
    const [scheme] = BEARER.exec(value) ?? [];
    return scheme && value.slice(scheme.length);
  },
  // RFC 6750 §3: `invalid_token` only if a token was sent.
  challenge: (isInvalid) => `Bearer realm="${realm}"${isInvalid ? ', error="invalid_token"' : ''}`,
});

/** By the scheme's type, and its scheme or place. */
const kinds: Readonly<Record<string, (description: Description, realm: string) => Scheme>> = {
  'http bearer': bearer,
  // The token is an API key: how a client gets it is up to the operator.
  oauth2: bearer,
  openIdConnect: bearer,
  /** The key is the password, for any user (RFC 7617 §2). */
  'http basic': (_description, realm) => ({
    header: 'Authorization',
    form: 'Authorization: Basic <base64 of ":" and API_KEY>',
    keyIn(value) {
      const [, encoded] = BASIC.exec(value) ?? [];
      if (encoded === undefined) return undefined;
      const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
      return password;
    },
    challenge: () => `Basic realm="${realm}", charset="UTF-8"`,
  }),
  /** The key is the whole value; in `Authorization` it may follow the name of a scheme. */
  'apiKey header': ({ name = '' }, realm) => ({
    header: name,
    form: `${name}: <API_KEY>`,
    keyIn: (value) => (/^authorization$/i.test(name) ? value.replace(/^[\w-]+ +/, '') : value),
    // The name is not registered, but RFC 9110 §15.5.2 requires a challenge.
    challenge: () => `ApiKey realm="${realm}", header="${name}"`,
  }),
  'apiKey query': ({ name = '' }, realm) => ({
    query: name,
    form: `?${name}=<API_KEY>`,
    keyIn: (value) => value,
    challenge: () => `ApiKey realm="${realm}", query="${name}"`,
  }),
};

/** By its name in the contract. */
export type Schemes = ReadonlyMap<string, Scheme>;

/** The supported security schemes of the contract. Operations that require others cannot be served. */
export function schemesOf({ name: realm, document }: Pick<Contract, 'name' | 'document'>): Schemes {
  const { components } = document as { components?: { securitySchemes?: Record<string, Description> } };
  return new Map(
    Object.entries(components?.securitySchemes ?? {}).flatMap(([name, description]) => {
      const { type, scheme: word, in: place } = description;
      const scheme = kinds[[type, (word ?? place)?.toLowerCase()].filter(Boolean).join(' ')];
      return scheme ? [[name, scheme(description, realm)]] : [];
    }),
  );
}
