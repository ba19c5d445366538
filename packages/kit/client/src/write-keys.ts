import { cookieTexts, cookieWithKey, urlWithKey } from '@contract-kit/core/http';
import { page } from './address.ts';
import type { CookieWriter, KeyWriter } from './client-contract.ts';

/* Keys in queries and cookies, and parameters in cookies: only the clients of contracts that have such have this code. */

export const writeKeys: KeyWriter = (url, headers, key, call) => {
  const { queryCredentials = [], cookieCredentials = [], takesCookie } = call.security ?? {};
  const { credentials } = call.options as RequestInit;
  if (takesCookie && credentials !== 'omit') call.options = { ...call.options, credentials: 'include' };
  // Only the browser may write it (Fetch §2.2.2).
  if (page.location) delete headers['cookie'];
  if (!key) return url;
  for (const name of page.location ? [] : cookieCredentials) {
    const { cookie = '' } = headers;
    // As with headers, what the caller has given counts.
    if (cookieTexts(cookie, name).length > 0) continue;
    headers['cookie'] = [cookie, cookieWithKey(name, key)].filter(Boolean).join('; ');
  }
  return queryCredentials.reduce((address, name) => urlWithKey(address, name, key), url);
};

export const writeCookies: CookieWriter = ({ cookies = [] }, write) => {
  const text = cookies.map(write).filter(Boolean).join('; ');
  return text ? { Cookie: text } : {};
};
