import { page } from './platform.ts';

/** Whether an address is of the page's own origin. */
export function isOwn({ origin }: URL): boolean {
  return origin === page.location?.origin;
}

const LOCAL = /^([^/]+\.)?(localhost|127(\.\d+){3}|\[::1\])$/;

/** Where requests go, without a slash at the end. Throws a TypeError if the key would not be safe on the way there. */
export function addressOf(baseUrl: string, allowInsecure: boolean | undefined): URL {
  let url;
  try {
    url = new URL(baseUrl, page.location?.href);
  } catch {
    // Said below.
  }
  const isWeb = url && /^https?:$/.test(url.protocol);
  const wrong = !url
    ? 'is no URL'
    : !isWeb
      ? 'begins with neither https: nor http:'
      : url.username || url.password
        ? 'has credentials, which belong into apiKey'
        : /[?#]/.test(url.href)
          ? 'has a query or a fragment'
          : url.protocol === 'http:' && !allowInsecure && !isOwn(url) && !LOCAL.test(url.hostname)
            ? 'is not https, so that the key could be read on the way; allowInsecure permits that'
            : undefined;
  // It may hold a secret in the wrong place.
  const shown = `${baseUrl}`.replace(/\/\/.*@/, '//…@').replace(/[?#].*/, '');
  if (!url || wrong) throw new TypeError(`baseUrl "${shown}" ${wrong}`);
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
