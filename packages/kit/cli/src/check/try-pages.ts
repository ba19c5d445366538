import { docsPaths, mcpPath } from '@contract-kit/core/http';

/** The list of the tools, as an agent asks for it. */
const LIST_TOOLS = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
};

/** It lists all pages of the docs. */
const SEARCH_INDEX = '/docs/search.json' satisfies (typeof docsPaths)[number];

/**
 * Asks a server for each page of its contract, and for its list of tools, but at the paths of the contract itself. Returns
 * what is wrong with each that does not respond with 200.
 */
export async function tryPages(
  { origin, key }: { readonly origin: string; readonly key: string },
  paths: ReadonlySet<string>,
): Promise<string[]> {
  const statusOf = async (page: string, init?: RequestInit): Promise<string[]> => {
    if (paths.has(page)) return [];
    const response = await fetch(origin + page, init);
    const text = await response.text();
    return response.ok && text !== '' ? [] : [`${page} responds with ${response.status}; report it`];
  };
  const pages = paths.has(SEARCH_INDEX) ? [] : await pagesAt(origin);
  const wrong: string[] = [];
  // One by one: each is made at its first request.
  for (const page of new Set([...docsPaths, ...pages])) wrong.push(...(await statusOf(page)));
  const headers = { ...LIST_TOOLS.headers, Authorization: `Bearer ${key}` };
  wrong.push(...(await statusOf(mcpPath, { ...LIST_TOOLS, headers })));
  return wrong;
}

async function pagesAt(origin: string): Promise<readonly string[]> {
  const response = await fetch(origin + SEARCH_INDEX);
  return response.ok ? ((await response.json()) as { pages: string[] }).pages : [];
}
