import { clientNames } from '@contract-kit/core';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Tool } from './tools.ts';

/** The contract's `x-error-codes`. */
export type ErrorMeanings = Readonly<Record<string, { readonly description: string } | undefined>>;

export interface Rejection {
  readonly code: string;
  readonly message: string;
  readonly status: number | undefined;
  /** In seconds. */
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
  readonly attempts: number;
}

/** What a model asks the user to check. */
export interface Advice {
  /** After a 401. */
  readonly key: string;
  /** If there is no response. */
  readonly server: string;
}

/** The advice for a server that the user starts, with the key and the address in its environment. */
export function adviceOf(service: string): Advice {
  const { keyVariable, baseUrlVariable } = clientNames(service);
  return {
    key: `Do not retry. Ask the user to check ${keyVariable} in the settings of this MCP server, and to restart it.`,
    server: `If that fails too, ask the user to check that the API is running, that this computer reaches it, and that ${baseUrlVariable} in the settings of this MCP server is its address.`,
  };
}

const CORRECT = 'Nothing was sent. Correct the arguments, then call again.';
const REPEAT = 'To call again is safe.';
const FIND_OUT = 'Find out before you call again.';
const MAYBE_DONE = 'It may have taken place.';

/** An error as a result for a model: what is wrong, what to do, and when. */
export function resultOfRejection(
  { code, message, status, retryAfter, requestId, attempts }: Rejection,
  { readOnlyHint, idempotentHint }: Tool['annotations'],
  meanings: ErrorMeanings,
  advice: Advice,
): CallToolResult {
  const isUnknown = attempts > 0 && (status === undefined || status < 400 || status >= 500);
  return failed([
    // The code has a separate line, and the status adds nothing for a model.
    message.replace(`${status} ${code}: `, ''),
    status === 401 ? advice.key : retryAfter === undefined && meanings[code]?.description,
    code === 'invalid_input' && CORRECT,
    isUnknown && !readOnlyHint && MAYBE_DONE,
    isUnknown && (idempotentHint ? REPEAT : FIND_OUT),
    isUnknown && !meanings[code] && advice.server,
    retryAfter !== undefined && `Call again in ${retryAfter} seconds, not earlier: at ${timeIn(retryAfter)}.`,
    `Code: ${code}.`,
    requestId && `Request id, for support: ${requestId}.`,
  ]);
}

export function invalidArguments(problems: readonly string[]): CallToolResult {
  return failed([...problems, CORRECT, 'Code: invalid_input.']);
}

export function failed(lines: readonly (string | false | undefined)[]): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: lines.filter(Boolean).join('\n') }] };
}

function timeIn(seconds: number): string {
  return new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000).toISOString().replace('.000', '');
}
