import { operations } from '@petstore/contract';
import createClient from 'openapi-fetch';
import { ConnectionError } from './errors.ts';
import { requestParts } from './input.ts';
import { addressOf, authorizationOf, type PetstoreOptions } from './options.ts';
import { dataOf, readReply, type AnyReply, type Received } from './reply.ts';
import type { CallOptions, OperationId, Petstore } from './types.ts';

/** A client of the API. Throws a TypeError if the key would not be safe on its way to the server. */
export function createPetstore(options: PetstoreOptions): Petstore {
  const openapi = createClient({
    baseUrl: addressOf(options),
    headers: { authorization: authorizationOf(options) },
    ...(options.fetch && { fetch: options.fetch }),
    redirect: 'manual',
    credentials: 'omit',
  });
  // The generated types say what may be sent; here an operation is only one of many.
  const request = openapi.request.bind(openapi) as (
    m: string,
    path: string,
    init: object,
  ) => Promise<Received>;

  async function send(
    operation: OperationId,
    input?: Record<string, unknown>,
    { signal }: CallOptions = {},
  ): Promise<AnyReply> {
    const { path, query, body } = requestParts(operation, input);
    const { method, path: template } = operations[operation];
    const init = { params: { path, query }, body, parseAs: 'text', signal };
    const received = await request(method, template, init).catch((cause: unknown) => {
      if (signal?.aborted) throw signal.reason;
      throw new ConnectionError(
        `${operation}: no complete answer`,
        { operation, code: 'connection_failed', attempts: 1 },
        { cause },
      );
    });
    return readReply(operation, received, 1);
  }

  const methods = Object.keys(operations).map((id) => {
    const operation = id as OperationId;
    const method = (input?: Record<string, unknown>, callOptions?: CallOptions) => {
      const reply = send(operation, input, callOptions);
      const data = reply.then((received) => dataOf(operation, received));
      return Object.assign(data, {
        reply() {
          data.catch(() => {});
          return reply;
        },
      });
    };
    return [id, method];
  });
  return Object.fromEntries(methods) as Petstore;
}
