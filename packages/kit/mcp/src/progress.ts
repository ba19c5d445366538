import type { ServerContext } from '@modelcontextprotocol/server';

/** A wait of the client, from its `onWait`. */
export interface Wait {
  /** Milliseconds. */
  readonly delay: number;
  readonly reason: 'quota' | 'refused' | 'retry';
  readonly until: Date;
}

const REASONS = {
  quota: 'because the quota is used up',
  refused: 'because the API rejected a request',
  retry: 'before another attempt',
};

/** Reports to the model's client, if it asked for progress (MCP: Progress). */
export function progressOf({ mcpReq: { _meta, notify } }: ServerContext): (message: string) => Promise<void> {
  let progress = 0;
  return async (message) => {
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined) return;
    progress += 1;
    await notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
  };
}

export function waitText({ delay, reason, until }: Wait): string {
  return `Waits ${Math.ceil(delay / 1000)} s ${REASONS[reason]}, until ${until.toISOString()}.`;
}
