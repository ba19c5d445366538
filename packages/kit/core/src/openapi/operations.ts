import { headersOfDeprecation, headersOfEveryResponse } from '../http/index.ts';
import { serverAddress, type Described, type Operation, type Response } from '../model/index.ts';
import type { SourceDocument, Json } from './source-document.ts';

/** The headers of a response that its handler sets, not the pipeline. */
export function declaredHeadersOf({ definition }: Operation, { headers }: Response): Described[] {
  const others: readonly string[] = [
    ...headersOfEveryResponse,
    ...(definition.deprecated ? headersOfDeprecation : []),
  ];
  return headers.filter(({ name }) => !others.includes(name));
}

/** The name of a server in the client: its own, `local` on this machine, or the description's first word. */
export function serverName({ url, name, description }: Json): string {
  if (name !== undefined) return name;
  const [word = ''] =
    String(description ?? '')
      .toLowerCase()
      .match(/[a-z]+/) ?? [];
  const address = serverAddress({ url });
  return URL.canParse(address) && new URL(address).hostname === 'localhost' ? 'local' : word;
}

/** The servers by name, production first. */
export function serversOf(contract: SourceDocument): Record<string, string> {
  const servers: Json[] = contract.document.servers;
  const named = servers.map((server, index): [string, string] => [
    serverName(server) || `server${index + 1}`,
    serverAddress(server),
  ]);
  const isOther = ([name]: [string, string]) => Number(name !== 'production');
  return Object.fromEntries(named.toSorted((a, b) => isOther(a) - isOther(b)));
}
