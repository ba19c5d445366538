import { document } from '@petstore/contract/document';
import type { JsonObject } from '@petstore/contract/json-pointer';
import { basic } from './basic.ts';
import { bearer } from './bearer.ts';
import { keyInHeader } from './key-in-header.ts';
import type { Description, Scheme } from './scheme.ts';

export type { Scheme };

/** By the scheme's type, and its scheme or place. */
const kinds: Readonly<Record<string, (description: Description) => Scheme>> = {
  'http bearer': bearer,
  'http basic': basic,
  'apiKey header': keyInHeader,
};

/** By its name in the contract. */
export type Schemes = ReadonlyMap<string, Scheme>;

/** The security schemes of the contract. Throws where it has one that nothing here verifies. */
export function schemesOf(contract: JsonObject = document): Schemes {
  const { components } = contract as { components?: { securitySchemes?: Record<string, Description> } };
  return new Map(
    Object.entries(components?.securitySchemes ?? {}).map(([name, description]) => {
      const kind = `${description.type} ${(description.scheme ?? description.in)?.toLowerCase()}`;
      const scheme = kinds[kind];
      if (!scheme) throw new Error(`the security scheme ${name} is ${kind}, which nothing verifies`);
      return [name, scheme(description)];
    }),
  );
}
