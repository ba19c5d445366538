// Generated from openapi.yaml by `npm run generate` of contract-kit 0.1.0. Edit openapi.yaml instead.

import { createPathClient, type ExactPaths, type PathClient } from '@contract-kit/client/openapi-fetch';
import { createFetch, InputError, type PetstoreOptions } from '@petstore/client';
import type { components, operations, paths as Declared } from '@petstore/contract/schema';

/** The paths of the API, as openapi-typescript makes them; 64-bit integers of parameters may be digits or numbers, too. */
export interface paths extends ExactPaths<Declared> {}
export type { components, operations };

/**
 * Creates openapi-fetch's client of the API, over the `fetch` of `createPetstore`: with its key, pacing, retries and
 * hooks. A path parameter that is missing, a dot segment or inexact is rejected with an `InputError`.
 *
 * @param options Those of `createPetstore`.
 * @throws {TypeError} if an option is wrong.
 */
export function createClient(options: PetstoreOptions = {}): PathClient<Declared> {
  return createPathClient<Declared>(createFetch(options), InputError);
}
