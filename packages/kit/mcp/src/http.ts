import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';

/** Milliseconds between the comments that keep a silent stream open: nginx cuts it after 8 seconds. */
const KEEP_ALIVE = 5_000;

/**
 * Responds to one message of MCP's Streamable HTTP, without a session: the server is made for it. `request` has its headers
 * and signal, `message` is its parsed body, not a batch. Throws if the server fails.
 */
export async function respondOverHttp(
  makeServer: () => McpServer,
  request: Request,
  message: object,
): Promise<Response> {
  let failure: Error | undefined;
  const { fetch } = createMcpHandler(makeServer, {
    keepAliveMs: KEEP_ALIVE,
    // A call may be silent for longer than that. Any other response is there at once.
    responseMode: 'method' in message && message.method === 'tools/call' ? 'sse' : 'auto',
    // The tools never change: there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: (error) => (failure = error),
  });
  const response = await fetch(request, { parsedBody: message });
  if (response.status === 500) throw failure ?? new Error('the MCP server failed');
  return response;
}
