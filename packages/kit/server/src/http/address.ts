import { BlockList, isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Some proxies add the client's port, as in `203.0.113.7:5678` and `[2001:db8::1]:5678`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+)):\d+$/;

/** The address of a client as a proxy sent it, without a port; `unknown` if it is none. */
export function addressIn(text: string | undefined): string {
  if (text === undefined) return 'unknown';
  const [, bracketed, plain] = WITH_PORT.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) === 0 ? 'unknown' : address;
}

/** The address for counting: an IPv6 address counts as its /64, which one subscriber gets (RFC 6177). */
export function countedAddress(ip: string | undefined): string {
  if (ip === undefined) return 'unknown';
  if (isIPv4(ip)) return ip;
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** The most proxies in a row. Further names in X-Forwarded-For are ignored. */
const MAX_PROXIES = 20;

/** Whether an address is among `proxies`, addresses and CIDRs; `hop` counts the proxies between it and this server. */
export function trusts(proxies: readonly string[]): (ip: string, hop: number) => boolean {
  const known = new Set(proxies);
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (ip, hop) =>
    hop < MAX_PROXIES && (known.has(ip) || (isIP(ip) !== 0 && list.check(ip, familyOf(ip))));
}

function familyOf(ip: string): 'ipv4' | 'ipv6' {
  return ip.includes(':') ? 'ipv6' : 'ipv4';
}
