import { operations } from '@petstore/contract';
import { createSend } from './call.ts';
import { clientOf, type Client } from './client.ts';
import { INTERNALS, type Internals } from './internals.ts';
import type { PetstoreOptions } from './options.ts';
import type { Petstore } from './petstore.ts';
import { dataOf, withHeaders } from './reply.ts';
import type { CallOptions, OperationId } from './types.ts';

/**
 * Creates a client of the API: one method per operation, under its operationId.
 *
 * Calls of one client share what the API says about its limits, so create one per key and keep it.
 *
 * @throws {TypeError} if an option is wrong, such as a malformed `apiKey`, or a `baseUrl` where the key would not be safe.
 */
export function createPetstore(options: PetstoreOptions = {}): Petstore {
  return petstoreOf(options);
}

function petstoreOf(options: PetstoreOptions, parent?: Client): Petstore {
  const client = clientOf(options, parent);
  const send = createSend(client);

  const call = (id: OperationId, input?: Record<string, unknown>, callOptions?: CallOptions) => {
    const reply = send(id, input, callOptions);
    const data = reply.then(dataOf);
    return Object.assign(data, {
      reply() {
        // The caller gets the failure from this promise, and must not have to catch the other.
        data.catch(() => {});
        return reply.then(withHeaders);
      },
    });
  };

  const internals: Internals = { send, dataOf, timeout: client.timeout };
  const withOptions = (changes: PetstoreOptions) => petstoreOf(changes, client);
  // Inherited, so that its own properties are the operations.
  const petstore = Object.create({ [INTERNALS]: internals, withOptions }) as Record<string, unknown>;
  for (const id in operations) petstore[id] = call.bind(null, id as OperationId);
  return petstore as unknown as Petstore;
}
