import type { Contract } from '@contract-kit/core';
import { credentialOf, keyIn, type Credential } from '@contract-kit/core/credential';
import { modelOf } from '@contract-kit/core/model';

/** How a request carries an API key by one security scheme. */
export interface Scheme extends Credential {
  /** The key in a value, valid or not; undefined if the value belongs to another scheme. */
  readonly keyIn: (value: string) => string | undefined;
}

function schemeOf(credential: Credential): Scheme {
  const { name, prefix } = credential;
  // In `Authorization` a plain key may follow the name of a scheme.
  const isBare = prefix === '' && /^authorization$/i.test(name);
  return {
    ...credential,
    keyIn: (value) => keyIn(prefix, isBare ? value.replace(/^[\w-]+ +/, '') : value),
  };
}

/** By its name in the contract. */
export type Schemes = ReadonlyMap<string, Scheme>;

/** The supported security schemes of the contract. Operations that require others cannot be served. */
export function schemesOf({ document }: Pick<Contract, 'document'>): Schemes {
  return new Map(
    [...modelOf(document).schemes].flatMap(([name, description]) => {
      const credential = credentialOf(description);
      return credential ? [[name, schemeOf(credential)]] : [];
    }),
  );
}
