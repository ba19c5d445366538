import type { Contract } from '@kit/contract';

/** How a request carries an API key by one kind of security scheme (OpenAPI 3.1 §4.8.27). */
export interface Scheme {
  /** The header that it is in. */
  readonly header: string;
  /** What to send, for people. */
  readonly form: string;
  /** The key in a value of the header, valid or not; undefined where the value is of another scheme. */
  readonly keyIn: (value: string) => string | undefined;
  /** What `WWW-Authenticate` says on a 401 (RFC 9110 §11.6.1); `isInvalid` where a key was sent by this scheme. */
  readonly challenge: (isInvalid: boolean) => string;
}

/** A security scheme as the contract describes it. */
interface Description {
  readonly type?: string;
  readonly scheme?: string;
  readonly in?: string;
  readonly name?: string;
}

// RFC 9110 §11.1: the scheme is case-insensitive.
const BEARER = /^bearer +/i;
const BASIC = /^basic +([a-z0-9+/]*={0,2})$/i;

/** By the scheme's type, and its scheme or place. */
const kinds: Readonly<Record<string, (description: Description, realm: string) => Scheme>> = {
  /** The key is the token (RFC 6750 §2.1). */
  'http bearer': (_description, realm) => ({
    header: 'Authorization',
    form: 'Authorization: Bearer <API_KEY>',
    keyIn(value) {
      const [scheme] = BEARER.exec(value) ?? [];
      return scheme && value.slice(scheme.length);
    },
    // RFC 6750 §3: `invalid_token` only where a token was sent.
    challenge: (isInvalid) => `Bearer realm="${realm}"${isInvalid ? ', error="invalid_token"' : ''}`,
  }),
  /** The key is the password, whoever the user is (RFC 7617 §2). */
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
  /** The key is the whole value. */
  'apiKey header': ({ name = '' }, realm) => ({
    header: name,
    form: `${name}: <API_KEY>`,
    keyIn: (value) => value,
    // No scheme of that name is registered, but RFC 9110 §15.5.2 asks for a challenge.
    challenge: () => `ApiKey realm="${realm}", header="${name}"`,
  }),
};

/** By its name in the contract. */
export type Schemes = ReadonlyMap<string, Scheme>;

/** The security schemes of the contract. Throws where it has one that nothing here verifies. */
export function schemesOf({ name: realm, document }: Pick<Contract, 'name' | 'document'>): Schemes {
  const { components } = document as { components?: { securitySchemes?: Record<string, Description> } };
  return new Map(
    Object.entries(components?.securitySchemes ?? {}).map(([name, description]) => {
      const kind = `${description.type} ${(description.scheme ?? description.in)?.toLowerCase()}`;
      const scheme = kinds[kind];
      if (!scheme) throw new Error(`the security scheme ${name} is ${kind}, which nothing verifies`);
      return [name, scheme(description, realm)];
    }),
  );
}
