import { variableOf } from '@contract-kit/core';
import type { ClientContract } from './client-contract.ts';
import type { DeprecationEvent, ResponseEvent, RetryEvent, WaitEvent } from './events.ts';
import { ConnectionError, failure, type ErrorDetails } from './errors.ts';
import type { Hooks, Logger } from './options.ts';
import { thrownMessage } from './redact.ts';

/* Everything that pages leave out: advice for developers, and code for Node.js. */

/** Options from the environment. An empty variable counts as unset. */
export function standardOptions({ name, version }: Pick<ClientContract, 'name' | 'version'>) {
  const variable = (suffix: string): string | undefined => {
    try {
      return globalThis.process?.env[variableOf(name, suffix)] || undefined;
    } catch {
      return; // Deno asks for a permission.
    }
  };
  return {
    apiKey: variable('API_KEY'),
    baseUrl: variable('BASE_URL'),
    // Standard output belongs to the program.
    logger: variable('LOG') === 'debug' ? { debug: console.error } : undefined,
    userAgent: `${name}-client/${version}`,
    defaultHooks: {
      onDeprecation: (event: DeprecationEvent) => warnOnce(name, event),
      onWait: warningOfWait(name),
    },
  };
}

interface Listeners {
  readonly hooks: readonly Hooks[];
  readonly defaultHooks?: Hooks;
  readonly logger?: Logger | undefined;
}

/** The hooks for an event: the default one only if there is no other, nor a logger that gets the waits. */
export function hooksOf({ hooks, defaultHooks = {}, logger }: Listeners, name: string): readonly Hooks[] {
  const isGiven = hooks.some((hook) => hook[name as keyof Hooks]) || (name === 'onWait' && logger);
  return isGiven ? hooks : [defaultHooks];
}

/** The request to follow a redirect with, as `fetch` does (Fetch §4.4): only if the one before had no body. */
export function redirectedTo(response: Response, request: Request, redirects: number): Request | undefined {
  const { redirect, method, signal, url } = request;
  const location = response.headers.get('location');
  if (!location || !/^30[12378]$/.test(`${response.status}`)) return undefined;
  if (redirect === 'error') throw new TypeError(`redirected to ${location}`);
  if (redirect === 'manual' || !/^(GET|HEAD)$/.test(method) || redirects === 20) return undefined;
  void response.body?.cancel();
  // Without headers, which may hold secrets: the next address may be anyone's.
  return new Request(new URL(location, url), { method, signal });
}

const followers = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `abort` when the signal aborts. One listener for all: Node.js warns of a leak at the eleventh. */
export function follow(signal: AbortSignal, abort: () => void): () => void {
  const all = followers.get(signal) ?? new Set();
  if (!followers.has(signal)) signal.addEventListener('abort', () => all.forEach((item) => item()));
  followers.set(signal, all.add(abort));
  return () => void all.delete(abort);
}

export function addressProblem(baseUrl: string, url: URL | undefined): string {
  const wrong = !url
    ? 'is no URL'
    : !/^https?:$/.test(url.protocol)
      ? 'begins with neither https: nor http:'
      : url.username || url.password
        ? 'has credentials, which belong into apiKey'
        : /[?#]/.test(url.href)
          ? 'has a query or a fragment'
          : 'is not https, so that the key could be read on the way; allowInsecure permits that';
  // It may hold a secret in the wrong place.
  const shown = `${baseUrl}`.replace(/\/\/.*@/, '//…@').replace(/[?#].*/, '');
  return `baseUrl "${shown}" ${wrong}`;
}

export function environmentProblem(servers: object): string {
  return `environment must be one of ${Object.keys(servers).join(', ')}`;
}

export const limitsProblem = () => 'timeout, budget and maxAttempts must be numbers above 0';

/** The fault of a key: from the options of the service with this name, or from a function. */
export function keyProblem(key: unknown, name: string | undefined): string {
  if (key) return 'apiKey must be the key alone: ASCII text without spaces or "Bearer "';
  return name
    ? `apiKey is missing: pass it, or set ${variableOf(name, 'API_KEY')}`
    : 'the function returned no key';
}

/** Why a request had no complete response. An injected `fetch` may show what was sent. */
export function noResponse(
  { fetch, hide }: { readonly fetch?: unknown; readonly hide: (text: string) => string },
  about: Omit<ErrorDetails, 'code'>,
  what: string,
  thrown: unknown,
): ConnectionError {
  const copy = redactError(thrown, hide);
  let root = copy;
  while (root.cause) root = root.cause as Thrown;
  const cause = fetch ? copy : thrown;
  return failure(ConnectionError, about, 'connection_failed', `${what}: ${root.message}`, { cause });
}

interface Thrown extends Error {
  readonly code?: string | undefined;
  readonly errors?: readonly unknown[];
}

/** Without attached values. `depth` ends where an error is its own cause. */
function redactError(thrown: unknown, hide: (text: string) => string, depth = 9): Thrown {
  const { name, code, cause, errors } = Object(thrown) as Thrown;
  // One for each failed address of a host.
  const next = (errors?.[0] ?? cause) as Partial<Thrown> | undefined;
  // An object without a message, such as the Response that msw fails with, is no reason.
  const says = next?.message || next?.code;
  const options = says && depth ? { cause: redactError(next, hide, depth - 1) } : undefined;
  return Object.assign(new Error(hide(thrownMessage(thrown)), options), { name, code });
}

/** The likely cause of a 404 that is not in the contract. */
export function notFoundAdvice(basePath: string): string {
  return `Does baseUrl end in ${basePath}?`;
}

type Event = ResponseEvent & RetryEvent & WaitEvent & DeprecationEvent;

const LINES: Readonly<Record<string, (event: Event) => string>> = {
  request: ({ method, url, attempt }) => `${method} ${url}${attempt > 1 ? `, attempt ${attempt}` : ''}`,
  onResponse: ({ status, duration, requestId = 'no request id' }) =>
    `${status} in ${Math.round(duration)} ms, ${requestId}`,
  onRetry: ({ attempt, status, delay }) =>
    `attempt ${attempt} gave ${status ?? 'no response'}; again in ${Math.round(delay)} ms`,
  onWait: ({ reason, delay, until }) =>
    `waits ${Math.round(delay)} ms, until ${until.toISOString()} (${reason})`,
  onDeprecation: ({ sunset }) => `deprecated${sunset ? `, goes away at ${sunset.toISOString()}` : ''}`,
};

export function logLine(name: string, event: object): string {
  const { operation } = event as Event;
  return `${operation ? `${operation}: ` : ''}${LINES[name]?.(event as Event)}`;
}

const warned = new Set<string>();

/** Warns of a deprecated operation, once in the life of the process. */
function warnOnce(service: string, { operation, method, url, sunset }: DeprecationEvent): void {
  const line =
    `${service}: ${operation ?? `${method} ${url}`} is deprecated` +
    (sunset ? ` and goes away at ${sunset.toISOString()}` : '');
  if (warned.has(line)) return;
  warned.add(line);
  console.warn(line);
}

/** Milliseconds. After a longer wait a developer takes a program for stuck. */
const LONG_WAIT = 5000;

const REASONS: Readonly<Record<WaitEvent['reason'], string>> = {
  quota: 'the quota of the API key is used up',
  refused: 'the API responded with 429',
  retry: 'a request failed and will be repeated',
};

/** Warns of a long wait, once in the life of the client. */
function warningOfWait(service: string): (event: WaitEvent) => void {
  let isWarned = false;
  return ({ operation, method, url, delay, reason }) => {
    if (isWarned || delay <= LONG_WAIT) return;
    isWarned = true;
    console.warn(
      `${service}: ${operation ?? `${method} ${url}`} waits ${Math.ceil(delay / 1000)} s, because ${REASONS[reason]}. ` +
        'This is the only warning: the option onWait gets every wait.',
    );
  };
}
