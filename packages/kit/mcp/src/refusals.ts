import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Tool } from './tools.ts';

/** What the contract says of each code: `x-error-codes`. */
export type ErrorMeanings = Readonly<Record<string, { readonly description: string } | undefined>>;

/** An error of the client. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly status: number | undefined;
  /** In seconds. */
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
  /** How many requests were sent. */
  readonly attempts: number;
}

const checkKey = (variable: string) =>
  `Do not retry. Ask the user to check ${variable} in the settings of this MCP server, and to restart it.`;
const CORRECT = 'Nothing was sent. Correct the arguments, then call again.';
const REPEAT = 'To call again is safe.';
const FIND_OUT = 'Find out before you call again.';
const MAYBE_DONE = 'It may have taken place all the same.';

/** An error as a result, which a model can act on: what is wrong, what to do, and when. */
export function refusalOf(
  { code, message, status, retryAfter, requestId, attempts }: Refusal,
  { readOnlyHint, idempotentHint }: Tool['annotations'],
  meanings: ErrorMeanings,
  keyVariable: string,
): CallToolResult {
  const isUnknown = attempts > 0 && (status === undefined || status < 400 || status >= 500);
  const lines = [
    message,
    status === 401 ? checkKey(keyVariable) : retryAfter === undefined && meanings[code]?.description,
    code === 'invalid_input' && CORRECT,
    isUnknown && !readOnlyHint && MAYBE_DONE,
    isUnknown && (idempotentHint ? REPEAT : FIND_OUT),
    retryAfter !== undefined && `Call again in ${retryAfter} seconds, not earlier: at ${timeIn(retryAfter)}.`,
    `Code: ${code}.`,
    requestId && `Request id, for support: ${requestId}.`,
  ];
  return { isError: true, content: [{ type: 'text', text: lines.filter(Boolean).join('\n') }] };
}

function timeIn(seconds: number): string {
  return new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000).toISOString().replace('.000', '');
}
