import { isBelow } from './address.ts';
import type { CallState } from './call-state.ts';
import { addCredentials, askForKey } from './credentials.ts';
import { CallError, failure } from './errors.ts';
import type { Fetch } from './options.ts';
import { messageOf, redactor } from './redact.ts';
import type { HeaderValues } from './types.ts';

/** In small letters. */
export const IDEMPOTENCY_KEY = 'idempotency-key';

/** What to send in this attempt: calls the functions that the user gave for headers and for the key, and the hooks. */
export async function requestOf(call: CallState, signal: AbortSignal): Promise<Parameters<Fetch>> {
  const { about, client, kept, outgoing } = call;
  const { apiKey, base, hooks, userAgent } = client;
  const { body, credentials, options } = outgoing;
  const { operation, method, attempts: attempt } = about;

  const ask = async <Value>(what: string, asked: () => Value | Promise<Value>): Promise<Value> => {
    try {
      return await asked();
    } catch (cause) {
      const details = { ...about, attempts: attempt - 1 };
      throw failure(CallError, details, 'callback_failed', `${what} failed: ${messageOf(cause)}`, cause);
    }
  };

  let headers: Record<string, string> = {};
  if (userAgent) headers['user-agent'] = userAgent;
  for (const given of outgoing.headers) {
    if (!given) continue;
    if (typeof given === 'function') await ask('headers', async () => merge(headers, await given()));
    else merge(headers, given);
  }

  // In place of what a function makes for each request, by which the server would do the same again.
  Object.assign(headers, kept);

  let { url } = outgoing;
  for (const hook of hooks.onRequest ?? []) {
    const event = { operation, attempt, method, url, headers };
    await ask('onRequest', () => (hook as (event: object) => unknown)(event));
    // A hook may have made it a URL.
    url = String(event.url);
    // A copy, because what the hook was given must not come to show the key.
    headers = Object.assign(merge({}, event.headers), kept);
  }
  if (headers[IDEMPOTENCY_KEY]) call.kept = { [IDEMPOTENCY_KEY]: headers[IDEMPOTENCY_KEY] };

  let key: string | undefined;
  if (url === outgoing.url || isBelow(base, url)) {
    key =
      typeof apiKey === 'function'
        ? await ask('apiKey', () => (call.key = askForKey(client, apiKey)))
        : apiKey;
    addCredentials(credentials, key, headers);
  }
  call.hide = redactor(key, headers);
  about.url = url === outgoing.url ? url : call.hide(url);
  // Following a redirect could take the key to another origin.
  return [url, { ...options, method, headers, redirect: 'manual', signal, ...(body && { body }) }];
}

/** Adds these values, or takes out what has none, by names in small letters: one name must not be there twice. */
function merge(headers: Record<string, string>, values: HeaderValues): Record<string, string> {
  for (const [name, value] of Symbol.iterator in values ? values : Object.entries(values)) {
    if (value === undefined || value === null) delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = value;
  }
  return headers;
}
