import type { Contract } from '@kit/contract';
import { credentialOf, keyIn, type Credential } from '@kit/contract/credential';
import { modelOf } from '@kit/contract/model';

/** How a request carries an API key by one security scheme. */
export interface Scheme extends Credential {
  /** Tells a person what to send. */
  readonly form: string;
  /** The key in a value, valid or not; undefined if the value belongs to another scheme. */
  readonly keyIn: (value: string) => string | undefined;
  /** The `WWW-Authenticate` of a 401 (RFC 9110 §11.6.1); `isInvalid` if a key was sent by this scheme. */
  readonly challenge: (isInvalid: boolean) => string;
}

const FORMS = {
  Bearer: 'Authorization: Bearer <API_KEY>',
  Basic: 'Authorization: Basic <base64 of ":" and API_KEY>',
} as const;

function schemeOf(credential: Credential, realm: string): Scheme {
  const { in: place, name, prefix } = credential;
  const plain = place === 'query' ? `?${name}=<API_KEY>` : `${name}: <API_KEY>`;
  // In `Authorization` a plain key may follow the name of a scheme.
  const isBare = prefix === '' && /^authorization$/i.test(name);
  return {
    ...credential,
    form: prefix === '' ? plain : FORMS[prefix],
    keyIn: (value) => keyIn(prefix, isBare ? value.replace(/^[\w-]+ +/, '') : value),
    challenge(isInvalid) {
      // RFC 6750 §3: `invalid_token` only if a token was sent.
      if (prefix === 'Bearer') return `Bearer realm="${realm}"${isInvalid ? ', error="invalid_token"' : ''}`;
      if (prefix === 'Basic') return `Basic realm="${realm}", charset="UTF-8"`;
      // The name is not registered, but RFC 9110 §15.5.2 requires a challenge.
      return `ApiKey realm="${realm}", ${place}="${name}"`;
    },
  };
}

/** By its name in the contract. */
export type Schemes = ReadonlyMap<string, Scheme>;

/** The supported security schemes of the contract. Operations that require others cannot be served. */
export function schemesOf({ name: realm, document }: Pick<Contract, 'name' | 'document'>): Schemes {
  return new Map(
    [...modelOf(document).schemes].flatMap(([name, description]) => {
      const credential = credentialOf(description);
      return credential ? [[name, schemeOf(credential, realm)]] : [];
    }),
  );
}
