/** The paths of health and metrics. `ADMIN_PORT` moves them to a separate port. */
export const opsPaths = ['/healthz', '/readyz', '/metrics'] as const;

/** The paths of the docs and of the served document. */
export const docsPaths = [
  '/docs',
  '/docs.md',
  '/docs/search.json',
  '/llms.txt',
  '/openapi.json',
  '/openapi.yaml',
  '/favicon.ico',
] as const;

/** The path of the tools for agents, over MCP's Streamable HTTP. */
export const mcpPath = '/mcp';

/** What a service serves by itself at the root, unless its contract declares the same path. */
export const kitPaths: readonly string[] = [...docsPaths, mcpPath, ...opsPaths];
