import { askForKey, addCredentials } from './credentials.ts';
import { failure, PetstoreError } from './errors.ts';
import type { Fetch } from './options.ts';
import type { PreparedCall } from './prepare.ts';
import { messageOf, redactor } from './redact.ts';
import { IDEMPOTENCY_KEY } from './request-parts.ts';
import type { HeaderValues } from './types.ts';

/** What to send in this attempt: asks the functions that the user gave for headers and for the key, and the hook. */
export async function requestOf(call: PreparedCall, signal: AbortSignal): Promise<Parameters<Fetch>> {
  const { about, apiKey, body, definition, kept, onRequest, session, userAgent } = call;
  const { operation, method, attempts: attempt } = about;

  const ask = async <Value>(what: string, asked: () => Value | Promise<Value>): Promise<Value> => {
    try {
      return await asked();
    } catch (cause) {
      const details = { ...about, attempts: attempt - 1 };
      throw failure(PetstoreError, details, 'callback_failed', `${what} failed: ${messageOf(cause)}`, cause);
    }
  };

  const headers: Record<string, string> = { accept: definition.accept ?? 'application/json' };
  if (userAgent) headers['user-agent'] = userAgent;
  if (body) headers['content-type'] = 'application/json';
  for (const given of call.headers) {
    if (!given) continue;
    await ask('headers', async () => merge(headers, typeof given === 'function' ? await given() : given));
  }

  // In place of what a function makes for each request, by which the server would do the same again.
  Object.assign(headers, kept);

  const event = { operation, attempt, method, url: call.url, headers };
  const all = onRequest
    ? await ask('onRequest', async () => {
        await onRequest(event);
        // A copy, because what the hook was given must not come to show the key.
        return Object.assign(merge({}, event.headers), kept);
      })
    : headers;
  if (all[IDEMPOTENCY_KEY]) call.kept = { [IDEMPOTENCY_KEY]: all[IDEMPOTENCY_KEY] };
  const key =
    typeof apiKey === 'function'
      ? await ask('apiKey', () => (call.key = askForKey(session, apiKey)))
      : apiKey;
  addCredentials(definition, key, all);
  call.hide = redactor(key, all);
  // A hook may have made it a URL.
  const url = String(event.url);
  about.url = url === call.url ? url : call.hide(url);
  // Following a redirect could take the key to another origin.
  return [url, { method, headers: all, redirect: 'manual', signal, ...(body && { body }) }];
}

/** Adds these values, or takes out what has none, by names in small letters: one name must not be there twice. */
function merge(headers: Record<string, string>, values: HeaderValues): Record<string, string> {
  for (const [name, value] of Symbol.iterator in values ? values : Object.entries(values)) {
    if (value === undefined || value === null) delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = value;
  }
  return headers;
}
