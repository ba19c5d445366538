import {
  credentialOf,
  credentialWordOf,
  keyIn,
  type Credential,
  type CredentialWord,
} from '@contract-kit/core/http';
import type { Model } from '@contract-kit/core/model';

/** How a request carries an API key by one security scheme. */
export interface Scheme extends Credential {
  readonly word: CredentialWord;
  /** The key in a value, valid or not; undefined if the value belongs to another scheme. */
  readonly keyIn: (value: string) => string | undefined;
}

function schemeOf(credential: Credential, word: CredentialWord): Scheme {
  return { ...credential, word, keyIn: (value) => keyIn(credential, value) };
}

/** By its name in the contract. */
export type Schemes = ReadonlyMap<string, Scheme>;

/**
 * The supported security schemes of the contract. Operations that require others cannot be served. `bearer` is the word for
 * bearer tokens that the contract calls neither keys nor tokens.
 */
export function schemesOf({ schemes }: Pick<Model, 'schemes'>, bearer: CredentialWord = 'API key'): Schemes {
  return new Map(
    [...schemes].flatMap(([name, description]) => {
      const credential = credentialOf(description);
      return credential ? [[name, schemeOf(credential, credentialWordOf(name, description, bearer))]] : [];
    }),
  );
}
