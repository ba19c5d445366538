import type { ClientContract, ClientOperation } from './client-contract.ts';
import { isSameOrigin } from './address.ts';
import type { Outgoing } from './call-state.ts';
import { perform } from './call.ts';
import { clientOf, givenOf, type Client } from './client.ts';
import { fetchOf } from './create-fetch.ts';
import { failure, InexactIntegerError, InputError, TimeoutError, UnexpectedReplyError } from './errors.ts';
import { INTERNALS, type Given, type Internals, type Send } from './internals.ts';
import type { Options } from './options.ts';
import type { StreamReader } from './read-stream.ts';
import { dataOf, declaredReply, readReply, resultOf, type AnyReply } from './reply.ts';
import { requestParts, writeJson, type BodyWriter } from './request-parts.ts';
import type { CallOptions } from './types.ts';

/** What only some contracts need: other bodies than JSON, and streams. */
export interface Extras {
  readonly writeBody?: BodyWriter;
  readonly readStream?: StreamReader;
}

/**
 * Creates a client of a contract: one method per operation, under its operationId. Throws a TypeError for a wrong option.
 */
export function createClient(contract: ClientContract, options: Options = {}, extras: Extras = {}): object {
  return operationsOn(contract, clientOf(contract, options), extras);
}

function operationsOn(contract: ClientContract, client: Client, extras: Extras): object {
  const { writeBody = writeJson, readStream } = extras;
  const send: Send = async (operation, input, options = {}, isStreamed) => {
    const definition = contract.operations[operation] as ClientOperation;
    const reject = (why: string): never => {
      throw failure(InputError, { operation, attempts: 0 }, 'invalid_input', why);
    };
    if (input !== undefined && (Object(input) !== input || Symbol.iterator in input))
      reject('input must be a plain object');
    const callOptions = givenOf(options);
    // A proxy on the page's own origin adds one.
    if (!(definition.anonymous || client.apiKey || isSameOrigin(client.base))) reject('needs an apiKey');
    const { method, accept = 'application/json' } = definition;
    const { target, headers, body, contentType, disposition } = requestParts(
      definition,
      input,
      reject,
      writeBody,
      contract.writeCookies,
    );
    const standard = { accept, 'content-type': contentType, 'content-disposition': disposition };
    const outgoing: Outgoing<AnyReply> = {
      operation,
      method,
      url: client.baseUrl + target,
      headers: [standard, client.headers, callOptions.headers, headers],
      body,
      security: definition,
      options: callOptions,
      read: (received, call) => readReply(contract, definition, received, call, isStreamed),
    };
    const reply = await perform(client, outgoing);
    return readStream
      ? readStream(contract, definition, reply, (changes) => perform(client, { ...outgoing, ...changes }))
      : reply;
  };

  const methodOf = (operation: string) => {
    const definition = contract.operations[operation] as ClientOperation;
    const { path, query, headers, cookies, body } = definition;
    const takesInput = query ?? headers ?? cookies ?? body ?? path.includes('{');
    return (input?: Given, options?: CallOptions) => {
      const reply = takesInput
        ? send(operation, input, options)
        : send(operation, {}, options === undefined ? input : options);
      const data = reply.then((item) => dataOf(contract, item));
      const instead = <Value>(read: (reply: AnyReply) => Value): Promise<Value> => {
        // The caller gets the failure from this promise, and must not have to catch the other.
        data.catch(() => {});
        return reply.then(read);
      };
      return Object.assign(data, {
        reply: () => instead((item) => declaredReply(contract, definition, item)),
        result: () => instead((item) => resultOf(contract, item)),
      });
    };
  };

  const internals: Internals = {
    send,
    dataOf: (reply) => dataOf(contract, reply),
    timeout: client.timeout,
    failure,
    InexactIntegerError,
    TimeoutError,
    UnexpectedReplyError,
  };
  const withOptions = (changes: Options) =>
    operationsOn(contract, clientOf(contract, changes, client), extras);
  // Inherited, so that its own properties are the operations.
  const inherited = { [INTERNALS]: internals, withOptions, fetch: fetchOf(client) };
  const methods = Object.create(inherited) as Record<string, unknown>;
  for (const operation in contract.operations) methods[operation] = methodOf(operation);
  return methods;
}
