import ipaddr from 'ipaddr.js';

/**
 * The address that a client without a key is counted by: IPv4 whole, IPv6 by its /64, which is what one subscriber
 * gets (RFC 6177), and IPv4 written as IPv6 (`::ffff:`) as the IPv4 it is.
 */
export function addressOf(ip: string | undefined): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
