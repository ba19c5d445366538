import type { Contract } from '@contract-kit/core';
import { isObject } from '@contract-kit/core/json';
import type { Model } from '@contract-kit/core/model';
import { errorTexts } from '@contract-kit/core/errors';
import type { Account, Quota } from '@contract-kit/core/limits';
import type { Request, RequestHandler } from 'express';
import { invalidRequest } from '../http/api-error.ts';
import { isNameOfOurs } from '../http/host-names.ts';
import { originFor } from '../http/origin.ts';
import { addressAccount, INVALID_KEY_QUOTA } from '../limits/account.ts';
import type { Limiter } from '../limits/limiter.ts';
import { tokenOf } from '../pipeline/authenticate.ts';
import { contextOf as handlerContextOf } from '../pipeline/handler-context.ts';
import { tooManyRequests } from '../pipeline/rate-limit.ts';
import { requestContextOf, type RequestContext } from '../pipeline/request-context.ts';
import { respond, respondWithError, type Rejection } from '../pipeline/respond.ts';
import { wrongMethod } from '../pipeline/route.ts';
import type { Schemes } from '../pipeline/schemes.ts';
import type { SendInProcess } from './in-process-requests.ts';
import type { Flag } from './tool-server.ts';

const ALLOWED = 'POST, OPTIONS';
/** Messages that call no operation, of one key, whatever its plan: each takes a few milliseconds. */
const MESSAGE_QUOTA: Quota = { perMinute: 300, perDay: 300 * 24 * 60 };
/** Headers of MCP's responses. Those of the connection are the service's. */
const PASSED_ON = ['Content-Type', 'X-Accel-Buffering'];

export interface McpOptions {
  readonly contract: Contract;
  readonly model: Model;
  readonly schemes: Schemes;
  readonly limiter: Limiter;
  readonly publicUrl?: string | undefined;
  readonly corsOrigins: readonly string[];
  /** The names of this service, in lower case, besides addresses and `localhost`. */
  readonly hostNames: readonly string[];
  /** Of the service. */
  readonly version: string;
  readonly send: SendInProcess;
}

/**
 * The operations as tools for agents, over MCP's Streamable HTTP without sessions: each POST is a message, and there are no
 * streams to open or sessions to end. A call of a tool is a request to its operation, by the sender of the message.
 */
export function mcpEndpoint(options: McpOptions): RequestHandler {
  const { contract, model, schemes, limiter, version, send } = options;
  const isAllowed = originCheck(options);
  let loaded: ReturnType<typeof load> | undefined;
  // Not at the start, which most services need it for.
  async function load() {
    const { inProcessFetch, toolServer } = await import('./tool-server.ts');
    return { inProcessFetch, serve: toolServer(contract, model, version) };
  }

  return async (req, res, next) => {
    const context = requestContextOf(req);
    const { match } = context;
    if (match.kind !== 'outside' || !match.isMcp) {
      next();
      return;
    }
    if (!isAllowed(req)) return respondWithError(req, res, FORBIDDEN_ORIGIN);
    if (req.method === 'OPTIONS') return respond(req, res, { status: 204, headers: { Allow: ALLOWED } });
    if (req.method !== 'POST') throw wrongMethod(req.method, ALLOWED);
    const flags = flagsIn(req, schemes);
    const message = messageIn(context);
    const account = accountOf(context, contract);
    // A call counts as a request of its operation, if it is one.
    const mayBeCall = message['method'] === 'tools/call';
    if (!mayBeCall || (await limiter.peek(account)).remaining < 1) {
      const { refusal } = await limiter.consume(account);
      if (refusal) return respondWithError(req, res, tooManyRequests(refusal));
    }
    const { inProcessFetch, serve } = await (loaded ??= load());
    let isCounted = !mayBeCall;
    const fetch = inProcessFetch(send, req, () => (isCounted = true));
    const { signal } = handlerContextOf(req);
    context.isHandled = true;
    const response = await serve(requestOf(req, signal), message, flags, {
      key: keyIn(req, context, schemes),
      fetch,
    });
    const headers = headersOf(response);
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    const body = isStream ? partsOf(response, signal) : (await response.text()) || undefined;
    await respond(req, res, { status: response.status, headers, body });
    if (!isCounted) await limiter.consume(account);
    return undefined;
  };
}

const FORBIDDEN_ORIGIN: Rejection = {
  code: 'invalid_request',
  message: 'Pages of this Origin may not call the tools. CORS_ORIGINS has the origins that may.',
  status: 403,
  headers: {},
};

/**
 * Whether a request comes from no web page, or from one that may call the service (MCP, Streamable HTTP, "Security
 * warning"). The own origin counts only with a name that is known: see `isNameOfOurs`.
 */
function originCheck({ contract, publicUrl, corsOrigins, hostNames }: McpOptions): (req: Request) => boolean {
  const servers = contract.document['servers'] as readonly { readonly url: string }[];
  const addresses = [...servers.map(({ url }) => url), publicUrl ?? ''].filter((address) =>
    URL.canParse(address),
  );
  const allowed = new Set([...corsOrigins, ...addresses.map((address) => new URL(address).origin)]);
  return (req) => {
    const { origin } = req.headers;
    return (
      origin === undefined ||
      allowed.has(origin) ||
      (origin === originFor(req) && isNameOfOurs(req.host, hostNames))
    );
  };
}

/** The flags of the query. A misspelt `read-only` must not give tools that change anything. */
function flagsIn({ url }: Request, schemes: Schemes): Flag[] {
  const credentials = [...schemes.values()].filter((scheme) => scheme.in === 'query').map(({ name }) => name);
  const [, query = ''] = url.split('?', 2);
  return [...new URLSearchParams(query)].flatMap(([name, value]) => {
    if (credentials.includes(name)) return [];
    if (name !== 'read-only' && name !== 'deprecated')
      throw invalidRequest(errorTexts.unknownParameter(name));
    if (value !== '') throw invalidRequest(errorTexts.takesNoValue(name));
    return [name];
  });
}

function messageIn({ body = [] }: RequestContext): Readonly<Record<string, unknown>> {
  let message: unknown;
  try {
    message = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(body)));
  } catch {
    throw invalidRequest(errorTexts.NOT_JSON_IN_UTF8);
  }
  // A batch, which MCP 2025-06-18 abolished, would be many requests for one.
  if (!isObject(message)) throw invalidRequest(errorTexts.NOT_ONE_MESSAGE);
  return message;
}

/** What messages other than calls count for: an address has its other requests without a key there. */
function accountOf({ caller }: RequestContext, { anonymousQuota }: Contract): Account {
  if (caller?.kind === 'key') return { id: `mcp:${caller.key.id}`, quota: MESSAGE_QUOTA };
  return addressAccount(caller?.address ?? 'unknown', anonymousQuota ?? INVALID_KEY_QUOTA);
}

/** The key of `req`, preferably a valid one; undefined if it has none that a client can send. */
function keyIn(req: Request, { caller }: RequestContext, schemes: Schemes): string | undefined {
  const valid = caller?.kind === 'key' ? caller.schemes : [...schemes.keys()];
  const tokens = valid.map((name) => schemes.get(name)).map((scheme) => scheme && tokenOf(req, scheme));
  return tokens.find((token) => token !== undefined && /^[!-~]+$/.test(token));
}

/** The request without its body, for MCP's own checks. */
function requestOf(req: Request, signal: AbortSignal): globalThis.Request {
  const headers = Object.entries(req.headers).filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name));
  return new Request('http://localhost', { method: 'POST', headers: headers as [string, string][], signal });
}

function headersOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** The parts of a stream. If the client leaves, it ends early, which is not a complete response. */
async function* partsOf({ body }: Response, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  if (body) yield* body;
  signal.throwIfAborted();
}
