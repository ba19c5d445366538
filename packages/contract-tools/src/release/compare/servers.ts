import type { Contract, Json } from '../../contract.ts';
import { serverName } from '../../operations.ts';
import { placeOf, type Change, type Comparison, type Pair } from '../change.ts';
import { differing, modification } from './words.ts';

/** Clients have the address of the server written down somewhere. One on their own machine is theirs to change. */
export const compareServers: Comparison = function* (pair) {
  const before = addressesOf(pair.base);
  const after = addressesOf(pair.revision);
  for (const [index, url] of before.entries()) {
    const subject = `server ${url}`;
    if (after.includes(url)) {
      yield* compareDescriptions(pair, subject, index, after.indexOf(url));
      continue;
    }
    const place = placeOf(pair, 'base', ['servers', index, 'url']);
    yield { impact: isLocal(url) ? 'patch' : 'major', subject, what: 'is gone', place };
  }
  for (const [index, url] of after.entries()) {
    if (before.includes(url)) continue;
    const place = placeOf(pair, 'revision', ['servers', index, 'url']);
    yield { impact: isLocal(url) ? 'patch' : 'minor', subject: `server ${url}`, what: 'is new', place };
  }
};

/** The client calls its environments by the servers' names. */
function* compareDescriptions(pair: Pair, subject: string, before: number, after: number): Iterable<Change> {
  const [old, now]: Json[] = [pair.base.document.servers[before], pair.revision.document.servers[after]];
  const [from, to] = [old, now].map(serverName);
  const place = placeOf(pair, 'revision', ['servers', after]);
  if (from !== to) {
    const what = `is now called ${to}, and was ${from}: it is a name of the client`;
    yield { impact: 'major', subject, what, place };
  }
  for (const name of differing(old, now)) {
    if (name === 'description' && from !== to) continue;
    yield { impact: 'patch', subject, what: modification(name, old[name], now[name]), place };
  }
}

function addressesOf({ document }: Contract): string[] {
  return (document.servers ?? []).map(({ url }: Json) => new URL(url).href.replace(/\/$/, ''));
}

function isLocal(url: string): boolean {
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/.test(url);
}
