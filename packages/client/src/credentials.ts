import { operations } from '@petstore/contract';
import type { Client } from './client.ts';
import { InputError } from './errors.ts';
import type { OperationId } from './types.ts';

/** The headers that carry the key. Throws an InputError where the operation needs one and the client has none. */
export function credentialsOf({ apiKey }: Client, operation: OperationId): Record<string, string> {
  const { open, credentials = { authorization: 'Bearer' } } = operations[operation];
  const headers: Record<string, string> = {};
  if (apiKey)
    // RFC 7617 §2: the key is the password, of nobody.
    for (const name in credentials)
      headers[name] = `${credentials[name]} ${credentials[name] === 'Basic' ? btoa(`:${apiKey}`) : apiKey}`;
  else if (!open)
    throw new InputError(`${operation}: needs an apiKey`, { operation, code: 'invalid_input', attempts: 0 });
  return headers;
}
