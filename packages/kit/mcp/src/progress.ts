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

/** Reports each wait to the model's client, if it asked for progress (MCP: Progress). */
export function progressOf({ mcpReq: { _meta, notify } }: ServerContext): (wait: Wait) => Promise<void> {
  let progress = 0;
  return async ({ delay, reason, until }) => {
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined) return;
    progress += 1;
    const seconds = Math.ceil(delay / 1000);
    const message = `Waits ${seconds} s ${REASONS[reason]}, until ${until.toISOString()}.`;
    await notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
  };
}
