import type { JsonObject } from '../json/index.ts';

/** The address of a server, with the defaults of its variables. */
export function serverAddress({ url, variables }: JsonObject): string {
  const declared = (variables ?? {}) as Readonly<Record<string, { readonly default?: string } | undefined>>;
  return String(url).replaceAll(/\{([^}]*)\}/g, (_, name: string) => String(declared[name]?.default ?? ''));
}

/** The path of `server` without a trailing slash; empty if the API starts at the root. */
export function basePathOf(server: JsonObject): string {
  const address = serverAddress(server);
  return URL.canParse(address, LOCAL) ? new URL(address, LOCAL).pathname.replace(/\/+$/, '') : '';
}

const LOCAL = 'http://localhost';
