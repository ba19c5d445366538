import type { DeprecationEvent, ResponseEvent, RetryEvent, WaitEvent } from './events.ts';

/* Advice for developers. `advice.production.ts` takes its place where the size counts. */

/** What an option must be, in words, and whether a value is that. */
type Check = readonly [must: string, holds: (value: unknown) => boolean];

const isAbove0 = (value: unknown) => typeof value === 'number' && value > 0;
const duration: Check = ['a number of milliseconds above 0', isAbove0];
const callback: Check = ['a function', (value) => typeof value === 'function'];

const CHECKS: Readonly<Record<string, Check | undefined>> = {
  timeout: duration,
  budget: duration,
  maxAttempts: ['a number above 0', isAbove0],
  signal: ['an AbortSignal', (value) => value instanceof AbortSignal],
  fetch: callback,
};

/** What is wrong with the options, if it is known. */
export function optionsProblem(options: object): string | undefined {
  if (Object(options) !== options) return 'options must be a plain object';
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const check = /^on[A-Z]/.test(name) ? callback : CHECKS[name];
    if (value !== undefined && check && !check[1](value)) return `${name} must be ${check[0]}`;
  }
  return undefined;
}

/** Why requests cannot go to this address. */
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

/** What the environment must be. */
export function environmentProblem(servers: object): string {
  return `environment must be one of ${Object.keys(servers).join(', ')}`;
}

/** What is wrong with the key. */
export function keyProblem(key: unknown, variable: string): string {
  return key
    ? 'apiKey must be the key alone: ASCII text without spaces or "Bearer "'
    : `apiKey is missing: pass it, or set ${variable}`;
}

/** What is wrong with what a `fetch` returned. */
export function responseProblem(response: Response | undefined): string | undefined {
  if (!response?.headers) return 'it must return a Response';
  return response.bodyUsed ? 'its Response was read before: return a new one for each call' : undefined;
}

// What engines say of a network that fails, in the TypeError that a mistake in a program throws, too.
const OF_NETWORK = /^((fetch|load) failed|failed to fetch|terminated|error )|network|offline|connection/i;

// What will be no better at another attempt: a certificate, an address.
const LASTING = /CERT|UNABLE_TO|_TLS_|INVALID_(URL|ARG)|bad port|unknown scheme/i;

/** Why a `fetch` that failed will fail again; nothing if it may not. */
export function flawOf(error: Error & { readonly code?: string | undefined }): Flaw | undefined {
  const { name, code = '', message } = error;
  // Of the language's errors, those with a code are the system's.
  if (/^(Type|Range|Reference|Syntax)Error(ERR_.*)?$/.test(name + code) && !OF_NETWORK.test(message))
    return 'of the program';
  return LASTING.test(code + message) ? 'of the address' : undefined;
}

type Flaw = 'of the program' | 'of the address';

/** What may be the cause of a 404 that is not the contract's. */
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

/** What the debug log says of an event. */
export function lineOf(name: string, event: object): string {
  const { operation } = event as Event;
  return `${operation ? `${operation}: ` : ''}${LINES[name]?.(event as Event)}`;
}

const warned = new Set<string>();

/** Warns of a deprecated operation, once in the life of the process. */
export function warnOnce(service: string, event: object): void {
  const { operation, method, url, sunset } = event as DeprecationEvent;
  const line =
    `${service}: ${operation ?? `${method} ${url}`} is deprecated` +
    (sunset ? ` and goes away at ${sunset.toISOString()}` : '');
  if (warned.has(line)) return;
  warned.add(line);
  console.warn(line);
}
