import { isIPv4 } from 'node:net';

/**
 * Whether `host`, of a request, can only be this service: a web page's author chooses the name of its host and can let it
 * lead here (DNS rebinding). He has no name without a dot, and an address leads to nobody else. `names` are the service's.
 */
export function isNameOfOurs(host: string | undefined, names: readonly string[]): boolean {
  if (host === undefined) return true;
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return !name.includes('.') || isIPv4(name) || names.includes(name);
}
