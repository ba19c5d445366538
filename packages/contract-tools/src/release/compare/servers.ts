import type { Contract, Json } from '../../contract.ts';
import { serverName } from '../../operations.ts';
import { matchedIn, placeOf, type Comparison } from '../change.ts';
import { differing, modification } from './words.ts';

/** Clients have the address of the server written down somewhere. One on their own machine is theirs to change. */
export const compareServers: Comparison = function* (pair) {
  for (const { name: url, before, after } of matchedIn(pair, byAddress)) {
    const subject = `server ${url}`;
    if (!before || !after) {
      const [side, { index }] = after ? (['revision', after] as const) : (['base', before] as const);
      const [impact, what] = after ? (['minor', 'is new'] as const) : (['major', 'is gone'] as const);
      const place = placeOf(pair, side, ['servers', index, 'url']);
      yield { impact: isLocal(url) ? 'patch' : impact, subject, what, place };
      continue;
    }
    const [from, to] = [before, after].map(({ server }) => serverName(server));
    const place = placeOf(pair, 'revision', ['servers', after.index]);
    if (from !== to) {
      // The client calls its environments by the servers' names.
      const what = `is now called ${to}, and was ${from}: it is a name of the client`;
      yield { impact: 'major', subject, what, place };
    }
    for (const name of differing(before.server, after.server)) {
      if (name === 'description' && from !== to) continue;
      const what = modification(name, before.server[name], after.server[name]);
      yield { impact: 'patch', subject, what, place };
    }
  }
};

function byAddress({ document }: Contract): Map<string, { server: Json; index: number }> {
  const servers: Json[] = document.servers ?? [];
  return new Map(
    servers.map((server, index) => [new URL(server.url).href.replace(/\/$/, ''), { server, index }]),
  );
}

function isLocal(url: string): boolean {
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/.test(url);
}
