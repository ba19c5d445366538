import { isIPv4, isIPv6 } from 'node:net';

/**
 * Whether `host`, of a request, can only be this service: the author of a web page chooses the name of its host, and can
 * let it lead here (DNS rebinding). A name without a dot is no exception: search domains and multicast DNS resolve it. An
 * address leads to nobody else, and neither does `localhost`. `names` are the service's, in lower case.
 */
export function isNameOfOurs(host: string | undefined, names: readonly string[]): boolean {
  // HTTP/1.0, which no browser speaks.
  if (host === undefined) return true;
  const name = host.replace(/:\d*$/, '').toLowerCase();
  const [, address = ''] = /^\[(.+)\]$/.exec(name) ?? [];
  return name === 'localhost' || isIPv4(name) || isIPv6(address) || names.includes(name);
}
