import { server, virtualClock } from '@contract-kit/test-support/served';
import { createPetstore, type Petstore, type PetstoreOptions } from '@petstore/client';

export * from '@contract-kit/test-support/served';

export const apiKey = 'pst_test';

/** A client of the server, whose waits take no time and are not reported. */
export const client = (options: PetstoreOptions = {}): Petstore =>
  createPetstore({ apiKey, baseUrl: server?.baseUrl, clock: virtualClock(), onWait: () => {}, ...options });
