import { operations } from '@petstore/contract/published';
import { createSend } from './call.ts';
import { clientOf } from './client.ts';
import { INTERNALS, type Internals } from './internals.ts';
import type { PetstoreOptions } from './options.ts';
import type { Petstore } from './petstore.ts';
import { dataOf, withHeaders } from './reply.ts';
import type { Session } from './session.ts';
import type { CallOptions } from './types.ts';

/**
 * Creates a client of the API: one method per operation, under its operationId.
 *
 * Calls of one client share what the API says about its limits, so create one per key and keep it.
 *
 * @throws {TypeError} if an option is wrong, such as a malformed `apiKey`, or a `baseUrl` that is no place to send it to.
 */
export function createPetstore(options: PetstoreOptions = {}): Petstore {
  return petstoreOf(options);
}

function petstoreOf(options: PetstoreOptions, session?: Session): Petstore {
  const client = clientOf(options, session);
  const send = createSend(client);

  const request = (operation: string, input?: Record<string, unknown>, callOptions?: CallOptions) => {
    const reply = send(operation, input, callOptions);
    const data = reply.then((received) => dataOf(received));
    return Object.assign(data, {
      reply() {
        // Whoever asks for the reply is told of a failure there.
        data.catch(() => {});
        return reply.then(withHeaders);
      },
    });
  };

  function withOptions(changes: PetstoreOptions): Petstore {
    const { apiKey, baseUrl, environment } = { ...changes };
    const kept = environment ? { ...options, baseUrl } : options;
    // Another key, or another address, has limits of its own.
    const isOther = apiKey ?? baseUrl ?? environment;
    return petstoreOf({ ...kept, ...changes }, isOther ? undefined : client.session);
  }

  const internals: Internals = { send, dataOf, timeout: client.timeout };
  // Inherited, so that its own properties are the operations.
  const petstore = Object.create({ [INTERNALS]: internals, request, withOptions }) as Record<string, unknown>;
  for (const id in operations) petstore[id] = request.bind(null, id);
  return petstore as unknown as Petstore;
}
