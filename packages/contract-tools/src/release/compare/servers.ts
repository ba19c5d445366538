import type { Contract, Json } from '../../contract.ts';
import { placeOf, type Comparison } from '../change.ts';

/** Clients have the address of the server written down somewhere. One on their own machine is theirs to change. */
export const compareServers: Comparison = function* (pair) {
  const before = addressesOf(pair.base);
  const after = addressesOf(pair.revision);
  for (const [index, url] of before.entries()) {
    if (after.includes(url)) continue;
    const place = placeOf(pair, 'base', ['servers', index, 'url']);
    yield { impact: isLocal(url) ? 'patch' : 'major', subject: `server ${url}`, what: 'is gone', place };
  }
  for (const [index, url] of after.entries()) {
    if (before.includes(url)) continue;
    const place = placeOf(pair, 'revision', ['servers', index, 'url']);
    yield { impact: isLocal(url) ? 'patch' : 'minor', subject: `server ${url}`, what: 'is new', place };
  }
};

function addressesOf({ document }: Contract): string[] {
  return (document.servers ?? []).map((server: Json) => String(server.url));
}

function isLocal(url: string): boolean {
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/.test(url);
}
