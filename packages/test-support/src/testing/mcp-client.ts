import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';

export interface McpClientOptions {
  readonly headers?: Record<string, string>;
  /** The query of the address, such as `?read-only`. */
  readonly query?: string;
  /** `legacy` is MCP up to 2025-11-25, `auto` the newest. */
  readonly mode?: 'legacy' | 'auto';
}

const clients: Client[] = [];
afterAll(() => Promise.all(clients.splice(0).map((client) => client.close())));

/** The official client of the tools at `origin`, with `key` as bearer token if it is given. */
export async function connectMcp(
  origin: string,
  key?: string,
  { headers = {}, query = '', mode = 'auto' }: McpClientOptions = {},
) {
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp${query}`), {
    requestInit: { headers: { ...(key && { authorization: `Bearer ${key}` }), ...headers } },
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  clients.push(client);
  return {
    client,
    call: (name: string, input: Record<string, unknown> = {}) => client.callTool({ name, arguments: input }),
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
  };
}

export const textOf = ({ content }: CallToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

/** A message of MCP 2025-11-25 as a request, with `key` as bearer token if it is given. */
export function mcpRequest(message: object | string, key?: string, headers: Record<string, string> = {}) {
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  };
}

export const toolCall = (name: string, input: object = {}) => ({
  method: 'tools/call',
  params: { name, arguments: input },
});
