import type { ServerContext } from '@modelcontextprotocol/server';
import type { Wait } from './progress.ts';

/** Also has a method for each tool. */
export interface Client {
  withOptions(options: { readonly onWait: (wait: Wait) => Promise<void> }): object;
}

/** Who calls a tool: the client of his server, and the request of MCP. */
export interface Caller {
  readonly client: Client;
  readonly context: ServerContext;
}
