import { cookieTexts, cookieWithKey } from '@contract-kit/core/http';
import { page } from './address.ts';
import type { Call } from './call-state.ts';
import type { ClientOperation } from './client-contract.ts';
import type { FetchInit } from './options.ts';

/** How requests carry cookies. A part of its own, which only clients of operations with cookies have. */
export interface CookieWriter {
  /** Adds the key to `headers`, which have names in lower case. Returns what `fetch` needs to know. */
  (
    headers: Record<string, string>,
    key: string | undefined,
    call: Pick<Call, 'security' | 'options'>,
  ): Pick<FetchInit, 'credentials'>;
  /** The header of the parameters of `call`, each of which `write` writes. */
  readonly headerOf: (call: ClientOperation, write: (name: string) => string | undefined) => object;
}

const addCookies = (...[headers, key, { security, options }]: Parameters<CookieWriter>) => {
  const { cookieCredentials = [], takesCookie } = security ?? {};
  // Only the browser may write it (Fetch §2.2.2).
  if (page.location) delete headers['cookie'];
  else if (key) {
    for (const name of cookieCredentials) {
      const { cookie = '' } = headers;
      // As with headers, what the caller has given counts.
      if (cookieTexts(cookie, name).length > 0) continue;
      headers['cookie'] = [cookie, cookieWithKey(name, key)].filter(Boolean).join('; ');
    }
  }
  const { credentials } = options as RequestInit;
  return takesCookie && credentials !== 'omit' ? { credentials: 'include' as const } : {};
};

export const cookieWriter: CookieWriter = Object.assign(addCookies, {
  headerOf: (call: ClientOperation, write: (name: string) => string | undefined) => {
    const text = (call.cookies ?? []).map(write).filter(Boolean).join('; ');
    return text ? { Cookie: text } : {};
  },
});
