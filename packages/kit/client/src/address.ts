import { addressProblem } from '#advice';
import { page } from './platform.ts';

/** Whether an address is of the page's own origin. */
export function isOwn({ origin }: URL): boolean {
  return origin === page.location?.origin;
}

const LOCAL = /^([^/]+\.)?(localhost|127(\.\d+){3}|\[::1\])$/;

/** Where requests go, without a slash at the end. Throws a TypeError if the key would not be safe on the way there. */
export function addressOf(baseUrl: string, allowInsecure: boolean | undefined): URL {
  let url: URL | undefined;
  try {
    url = new URL(baseUrl, page.location?.href);
  } catch {
    // Said below.
  }
  // No credentials, query or fragment: they would not be sent, or would not be kept secret.
  const isWeb = /^https?:\/\/[^/?#@]*\/[^?#]*$/.test(`${url?.href}`);
  if (
    !url ||
    !isWeb ||
    !(url.protocol === 'https:' || allowInsecure || isOwn(url) || LOCAL.test(url.hostname))
  )
    throw new TypeError(addressProblem(baseUrl, url));
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** Whether an address is that of the API or lies below it: only there may the key go. */
export function isBelow(base: URL, address: string): boolean {
  try {
    // As the request goes: without dot segments (RFC 3986 §5.2.4).
    const { origin, pathname } = new URL(address, base);
    const path = base.pathname.replace(/\/$/, '');
    return origin === base.origin && (pathname === path || pathname.startsWith(`${path}/`));
  } catch {
    return false;
  }
}
