import { addressProblem } from '#platform';

/** Only pages and workers have this: it is not in the types of Node.js. */
export const page = globalThis as { readonly location?: { readonly href: string; readonly origin: string } };

/** Whether an address has the page's origin. */
export function isSameOrigin({ origin }: URL): boolean {
  return origin === page.location?.origin;
}

const LOCAL = /^([^/]+\.)?(localhost|127(\.\d+){3}|\[::1\])$/;

/** The address for requests, without a trailing slash. Throws a TypeError if the key would not be safe on the way. */
export function checkedBaseUrl(baseUrl: string, allowInsecure: boolean | undefined): URL {
  let url: URL | undefined;
  try {
    url = new URL(baseUrl, page.location?.href);
  } catch {
    // Said below.
  }
  // No credentials, query or fragment: they would be dropped, or leak.
  if (
    !url ||
    !/^https?:\/\/[^/?#@]*\/[^?#]*$/.test(url.href) ||
    !(url.protocol === 'https:' || allowInsecure || isSameOrigin(url) || LOCAL.test(url.hostname))
  )
    throw new TypeError(addressProblem(baseUrl, url));
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** Whether an address is the API or below it: only there may the key go. */
export function isBelow(baseUrl: string, address: string): boolean {
  try {
    // As sent: without dot segments (RFC 3986 §5.2.4).
    const { origin, pathname } = new URL(address, baseUrl);
    return `${origin}${pathname}/`.startsWith(`${baseUrl}/`);
  } catch {
    return false;
  }
}
