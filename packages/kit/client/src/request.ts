import { DEFAULT_CREDENTIALS, keyText, IDEMPOTENCY_KEY } from '@contract-kit/core/http';
import { isBelow } from './address.ts';
import type { Call } from './call-state.ts';
import { checkedKey } from './client.ts';
import { CallError, failure } from './errors.ts';
import type { Fetch } from './options.ts';
import { thrownMessage, redactor } from './redact.ts';
import type { HeaderValues } from './types.ts';

/** The request of this attempt: calls the user's functions for headers and key, and the hooks. */
export async function requestOf(call: Call, signal: AbortSignal): Promise<Parameters<Fetch>> {
  const { about, apiKey, baseUrl, body, hooks, kept, method, operation, userAgent } = call;
  const { credentials = DEFAULT_CREDENTIALS } = call.security ?? {};
  const { attempts: attempt } = about;

  const invoke = async <Value>(what: string, callback: () => Value | Promise<Value>): Promise<Value> => {
    try {
      return await callback();
    } catch (cause) {
      const failed = `${what} failed: ${thrownMessage(cause)}`;
      throw failure(CallError, { ...about, attempts: attempt - 1 }, 'callback_failed', failed, { cause });
    }
  };

  let headers: Record<string, string> = {};
  for (const given of [{ 'user-agent': userAgent, [IDEMPOTENCY_KEY]: kept }, ...call.headers]) {
    if (typeof given === 'function') await invoke('headers', async () => merge(headers, await given(), kept));
    else if (given) merge(headers, given, kept);
  }

  let url = call.url;
  for (const { onRequest } of hooks) {
    if (!onRequest) continue;
    const event = { operation, attempt, method, url, headers };
    await invoke('onRequest', () => onRequest(event));
    url = event.url;
    // A copy, so that the hook's object never shows the key.
    headers = merge({}, event.headers, kept);
  }
  call.kept = headers[IDEMPOTENCY_KEY];

  let key: string | undefined;
  if (isBelow(baseUrl, url))
    key = typeof apiKey === 'function' ? await invoke('apiKey', () => keyFor(call, apiKey)) : apiKey;
  // It reads the headers when it is used, with the key.
  call.hide = redactor(key, headers);
  about.url = url === call.url ? url : call.hide(url);
  if (key)
    for (const name in credentials) headers[name.toLowerCase()] ??= keyText(credentials[name] as string, key);
  url = call.service.writeKeys?.(url, headers, key, call) ?? url;
  // Following a redirect could take the key to another origin.
  return [url, { ...call.options, method, headers, redirect: 'manual', signal, ...(body && { body }) }];
}

/** Adds these values, or removes empty ones, by lower-case name, so that no name occurs twice. */
function merge(headers: Record<string, string>, values: HeaderValues, kept?: string): Record<string, string> {
  for (const [given, value] of Symbol.iterator in values ? values : Object.entries(values)) {
    const name = given.toLowerCase();
    if (value === undefined || value === null) delete headers[name];
    // With a new key from a function, the server would repeat the operation.
    else headers[name] = name === IDEMPOTENCY_KEY ? kept || value : value;
  }
  return headers;
}

/** The key from the function `apiKey`, cached. */
function keyFor(call: Call, apiKey: () => string | Promise<string>): Promise<string> {
  const { session } = call;
  const key = (session.key ??= (async () => {
    return checkedKey(await apiKey());
  })());
  call.key = key;
  // A failure must not be cached.
  key.catch(() => session.key === key && (session.key = undefined));
  return key;
}
