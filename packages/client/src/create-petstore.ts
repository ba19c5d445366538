import { operations } from '@petstore/contract';
import { createSend } from './call.ts';
import type { PetstoreOptions } from './options.ts';
import { dataOf } from './reply.ts';
import { INTERNALS, type Internals } from './internals.ts';
import type { CallOptions, OperationId, Petstore } from './types.ts';

/**
 * Creates a client of the API: one method per operation, under its operationId.
 *
 * Calls of one client share what the API says about its limits, so create one per key and keep it.
 *
 * @throws {TypeError} if `apiKey` is malformed, or `baseUrl` is no place to send it to.
 */
export function createPetstore(options: PetstoreOptions): Petstore {
  const send = createSend(options);
  const internals: Internals = { send, dataOf, timeout: options.timeout };
  const petstore = Object.defineProperty({}, INTERNALS, { value: internals }) as Record<string, unknown>;
  for (const id in operations) {
    const operation = id as OperationId;
    petstore[id] = (input?: Record<string, unknown>, callOptions?: CallOptions) => {
      const reply = send(operation, input, callOptions);
      const data = reply.then((received) => dataOf(operation, received));
      return Object.assign(data, {
        reply() {
          // Whoever asks for the reply is told of a failure there.
          data.catch(() => {});
          return reply;
        },
      });
    };
  }
  return petstore as unknown as Petstore;
}
