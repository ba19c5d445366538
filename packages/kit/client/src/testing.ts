import {
  challengeOf,
  cookieTexts,
  formOf,
  attachment,
  entryOf,
  typeInRange,
  decoded,
  DEFAULT_CREDENTIALS,
  deprecationHeaders,
  headersOfStatus,
  keyIn,
  pairTexts,
  parameterReader,
  rateLimitHeaders,
  type Credential,
  paramsOf,
  routeFinder,
  underBasePath,
} from '@contract-kit/core/http';
import { INT64_WANTED } from '@contract-kit/core/json';
import { pipelineErrors, errorTexts } from '@contract-kit/core/errors';
import {
  consume,
  newCounters,
  peek,
  STANDARD_BAN,
  type Counters,
  type Decision,
  type Quota,
} from '@contract-kit/core/limits';
import type { Contract, Deprecation, Example } from '@contract-kit/core';
import type { ClientContract, ClientOperation } from './client-contract.ts';
import { int64Digits } from './exact-integers.ts';
import { fakeStream, streamIn, type FakeItems } from './fake-stream.ts';
import type { Clock } from './options.ts';
import { platformClock } from './timer.ts';

export type { FakeItems };

export interface FakeContract extends Pick<
  Contract,
  'name' | 'basePath' | 'examples' | 'plans' | 'anonymousQuota'
> {
  readonly operations: ClientContract['operations'];
  readonly deprecations: Readonly<Partial<Record<string, Deprecation>>>;
  readonly errorCodes: Readonly<Record<string, number>>;
  /** Errors as the contract describes them, by the service's own codes; absent if they are an `ErrorBody`. */
  readonly errors?: Readonly<Record<string, FakeError>>;
}

/** An error of another shape, with its body as text. */
export interface FakeError {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** An error code of the API, a `Response`, or an error that `fetch` rejects with. */
export type FakeFailure<Code extends string = string> = Code | Response | Error;

/** A success. Missing parts come from the contract's example. */
export interface FakeSuccess<Data = unknown> {
  /** Of a file also a Blob or a File, with its type and its name. Of a stream its items. */
  readonly body?: FakeBody<Data> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds before each item of a stream. Default: 0. */
  readonly delay?: number | undefined;
}

type FakeBody<Data> =
  Data extends AsyncIterable<infer Item> ? FakeItems<Item> : Data | (Data extends Uint8Array ? Blob : never);

export type FakeAnswer<Data = unknown, Code extends string = string> = FakeSuccess<Data> | FakeFailure<Code>;

/** A request that the fake accepted. */
export interface FakeRequest {
  readonly request: Request;
  /** The path parameters, percent-decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** One answer for all requests, or a function that makes one for each. */
export type FakeHandler<Data = unknown, Code extends string = string> =
  | FakeAnswer<Data, Code>
  | ((request: FakeRequest) => FakeAnswer<Data, Code> | Promise<FakeAnswer<Data, Code>>);

/** `Answers` are handlers by operationId; `Plan` names the plans that have a quota. */
export interface FakeOptions<Answers = Readonly<Record<string, FakeHandler>>, Plan extends string = string> {
  /** The answers of operations, by operationId. Default: the contract's examples. */
  readonly answers?: Answers | undefined;
  /** The API keys that are valid. Default: every one. */
  readonly keys?: readonly string[] | undefined;
  /** The quota of each key: a plan, or your numbers. Default: no limits and no bans. */
  readonly plan?: Plan | Quota | undefined;
  /** The time of windows, bans, the `Date` header and delays; the same as the client's. Default: that of the system. */
  readonly clock?: (Pick<Clock, 'now'> & Partial<Pick<Clock, 'sleep'>>) | undefined;
}

export interface FakeService<Code extends string = string, Id extends string = string> {
  /** Responds as the service does, whatever the host of the URL. For a client, or in place of `fetch`. */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /**
   * Makes the next requests fail, before anything is counted or done.
   *
   * @throws {TypeError} if the API has no error with this code.
   */
  readonly fail: (
    how: FakeFailure<Code>,
    which?: { readonly times?: number | undefined; readonly operation?: Id | undefined },
  ) => void;
}

/** More than any test sends. */
const UNLIMITED: Quota = { perMinute: 1_000_000, perDay: 1_000_000_000 };

/** Creates a service in memory: the paths, statuses, headers, quotas and bans of the real one, without data. */
export function createFake(contract: FakeContract, options: FakeOptions = {}): FakeService {
  const { basePath, errorCodes, name, operations, plans, deprecations } = contract;
  const { answers = {}, keys, plan = UNLIMITED, clock = Date } = options;
  const waiting = 'sleep' in clock ? (clock as Clock) : platformClock;
  const quota = typeof plan === 'string' ? plans[plan]?.quota : plan;
  if (!quota) throw new TypeError(`plan ${JSON.stringify(plan)} has no quota: pass { perMinute, perDay }`);
  // Requests without a valid key are limited together, as those of one address.
  const anonymousQuota = plan === UNLIMITED ? UNLIMITED : (contract.anonymousQuota ?? UNLIMITED);
  const routeOf = routeFinder(Object.entries(operations), basePath);
  const isInApi = underBasePath(basePath);
  const accounts = new Map<string | undefined, Counters>();
  const failures: { how: FakeFailure; operation: string | undefined; left: number }[] = [];
  let count = 0;

  function nextFailure(operation: string | undefined) {
    const next = failures.find(
      (failure) => failure.left > 0 && (failure.operation ?? operation) === operation,
    );
    if (next) next.left--;
    return next?.how;
  }

  const limit = (key: string | undefined, isCounted: boolean): Decision => {
    const counters = accounts.get(key) ?? newCounters();
    accounts.set(key, counters);
    const account = key === undefined ? { id: '', quota: anonymousQuota } : { id: key, quota, banEpoch: 0 };
    const now = clock.now();
    return (isCounted ? consume : peek)(counters, account, STANDARD_BAN, now);
  };

  async function respond(request: Request): Promise<Response> {
    const { method, headers } = request;
    const { pathname, search, searchParams: query } = new URL(request.url);
    const route = routeOf(pathname);
    const operation = route?.operations[method];
    const definition = operation === undefined ? undefined : operations[operation];
    const deprecation = operation === undefined ? undefined : deprecations[operation];
    const notice = operation !== undefined && deprecation && deprecationHeaders(operation, deprecation);
    const common: Record<string, string> = {
      Date: new Date(clock.now()).toUTCString(),
      'X-Request-Id': `fake-${++count}`,
      ...notice,
    };
    const { finish, reject, respondWith } = responderFor(contract, {
      method,
      operation,
      definition,
      common,
      waiting,
    });

    const credentials = credentialsOf(definition ?? {});
    const given = sentKey(credentials, headers, query);
    const key = given !== undefined && (keys?.includes(given) ?? true) ? given : undefined;
    const failure = nextFailure(operation);
    const isOptions = route !== undefined && method === 'OPTIONS';
    if (isInApi(pathname)) {
      const decision = limit(key, failure === undefined && !isOptions);
      Object.assign(common, rateLimitHeaders(decision));
      if (decision.refusal) {
        const { code, message, retryAfter } = decision.refusal;
        return reject(code, message, { 'Retry-After': String(retryAfter) });
      }
    }
    if (failure !== undefined) return respondWith(failure);
    if (!isPercentEncoded(pathname)) return reject('invalid_request', errorTexts.malformed('path'));
    if (!route) return reject('not_found', pipelineErrors.not_found.message);
    if (isOptions) return finish(204, undefined, { Allow: route.allow });
    if (!operation || !definition)
      return reject('method_not_allowed', errorTexts.methodNotAllowed(method, route.allow), {
        Allow: route.allow,
      });
    if (key === undefined && (!definition.anonymous || definition.keyed)) {
      const forms = credentials.map((credential) => formOf(credential));
      const message =
        given === undefined ? errorTexts.missingKey(forms.join(' with ')) : errorTexts.invalidKey();
      const challenges = credentials.map((credential) => challengeOf(credential, name, given !== undefined));
      return reject('unauthorized', message, { 'WWW-Authenticate': [...new Set(challenges)].join(', ') });
    }
    const written = paramsOf(route, method, pathname);
    const path = Object.fromEntries(
      Object.entries(written).map(([name, text]) => [name, decodeURIComponent(text)]),
    );
    const problem = problemOf(definition, written, search);
    if (problem) return reject('invalid_request', problem);

    const handler = answers[operation] ?? {};
    return respondWith(typeof handler === 'function' ? await handler({ request, path, query }) : handler);
  }

  return {
    fail(how, { times = 1, operation } = {}) {
      if (typeof how === 'string' && !(how in errorCodes))
        throw new TypeError(`no error has the code ${how}`);
      failures.push({ how, operation, left: times });
    },
    async fetch(input, init) {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      return respond(request);
    },
  };
}

/** What the responses to one request share. */
interface Responding {
  readonly method: string;
  readonly operation: string | undefined;
  readonly definition: ClientOperation | undefined;
  /** The headers of each response. */
  readonly common: Readonly<Record<string, string>>;
  readonly waiting: Clock;
}

/** Makes the responses to one request: from their parts, for an error of the pipeline, and as the test's handler says. */
function responderFor(
  { errorCodes, errors, examples, name }: FakeContract,
  { method, operation, definition, common, waiting }: Responding,
) {
  const finish = (status: number, body?: unknown, own: Readonly<Record<string, string>> = {}) => {
    const content = 'Content-Type' in own ? (body as string) : JSON.stringify(body);
    const type = content !== undefined && { 'Content-Type': 'application/json; charset=utf-8' };
    const sent = method === 'HEAD' ? null : (content ?? null);
    return new Response(sent, { status, headers: { ...common, ...type, ...own } });
  };
  const reject = (code: string, message: string, own?: Readonly<Record<string, string>>) => {
    const shaped = errors?.[code];
    const status = shaped?.status ?? errorCodes[code] ?? 500;
    const headers = { ...requiredOf(name, status), ...own };
    if (shaped) return finish(status, shaped.body, { ...headers, 'Content-Type': shaped.type });
    return finish(status, { code, message, status }, headers);
  };
  const respondWith = (answer: FakeAnswer) => {
    if (typeof answer === 'string') return reject(answer, `The fake answers ${answer}.`);
    if (answer instanceof Error) throw answer;
    if (answer instanceof Response) return answer.clone();
    const example = examples[operation ?? ''];
    const { status = 200, body, delay = 0 } = { ...example, ...answer } as Example & FakeSuccess;
    const shown = answer.headers ?? textsOf(example?.headers, entryOf(definition?.jsonHeaders ?? {}, status));
    const declared = entryOf(definition?.responseTypes ?? {}, status) ?? '';
    const own = body instanceof Blob ? body.type : '';
    const stream = streamIn(definition, status, body);
    if (stream) {
      const [type, form] = stream;
      const sent = method === 'HEAD' ? null : fakeStream(body as FakeItems, form, delay, waiting);
      return finish(status, sent, { 'Content-Type': type, ...shown });
    }
    const type = declared.includes('*') ? own || typeInRange(declared) : declared;
    const name = body instanceof File ? { 'Content-Disposition': attachment(body.name) } : {};
    return finish(status, body, { ...(type.includes('/') && { 'Content-Type': type }), ...name, ...shown });
  };
  return { finish, reject, respondWith };
}

/** The headers of an example as texts. */
function textsOf(headers: Example['headers'] = {}, inJson: readonly string[] = []): Record<string, string> {
  const texts = Object.entries(headers).map(([name, value]) => [
    name,
    inJson.includes(name) ? JSON.stringify(value) : String(value),
  ]);
  return Object.fromEntries(texts) as Record<string, string>;
}

/** The headers that the contract requires for an error. */
function requiredOf(service: string, status: number): Record<string, string> {
  const texts = { 'WWW-Authenticate': `Bearer realm="${service}"`, 'Retry-After': '1' };
  const names = headersOfStatus[status] ?? [];
  return Object.fromEntries(Object.entries(texts).filter(([name]) => names.includes(name)));
}

/** Where the client sends the key. */
function credentialsOf({
  credentials = DEFAULT_CREDENTIALS,
  queryCredentials = [],
  cookieCredentials = [],
}: Partial<ClientOperation>): Credential[] {
  return [
    ...cookieCredentials.map((name): Credential => ({ in: 'cookie', name, prefix: '' })),
    ...queryCredentials.map((name): Credential => ({ in: 'query', name, prefix: '' })),
    ...Object.entries(credentials).map(([name, prefix]): Credential => ({
      in: 'header',
      name,
      prefix: prefix as Credential['prefix'],
    })),
  ];
}

/** The key in the places that carry it; `undefined` unless it is in each of them. */
function sentKey(credentials: readonly Credential[], headers: Headers, query: URLSearchParams) {
  const keys = credentials.map((credential) => {
    const { in: place, name } = credential;
    const [cookie] = place === 'cookie' ? cookieTexts(headers.get('cookie') ?? '', name) : [];
    const text =
      place === 'cookie' ? cookie && decoded(cookie, place) : (place === 'query' ? query : headers).get(name);
    return text ? keyIn(credential, text) : undefined;
  });
  return keys.every((key) => key === keys[0]) ? keys[0] : undefined;
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Why the operation does not take these parameters, as far as the client's table of operations says; else nothing. Of the
 * URL, percent-encoded.
 */
function problemOf(
  { int64 = [], styles = {}, nullable = [], query: known = [], queryCredentials = [] }: ClientOperation,
  path: Readonly<Record<string, string>>,
  search: string,
): string | undefined {
  if (!isPercentEncoded(search)) return errorTexts.malformed('query');
  const query = pairTexts(search.slice(1), (text) => decoded(text, 'query'));
  // The fields of an object may be parameters of any name.
  const isOpen = Object.values(styles).some(({ style, explode }) => explode || style === 'deepObject');
  const unknown = isOpen
    ? undefined
    : [...query.keys()].find((name) => ![...known, ...queryCredentials].includes(name));
  if (unknown !== undefined) return `${errorTexts.unknownParameter(unknown)}.`;
  const texts = { path, query, header: () => [], cookie: () => [] };
  const reject = (what: string, why: string): never => {
    throw new TypeError(`${what} ${why}.`);
  };
  try {
    const inexact = int64.find((name) => {
      const place = Object.hasOwn(path, name) ? 'path' : 'query';
      const usual = { style: place === 'path' ? 'simple' : 'form', explode: place === 'query' };
      const style = Object.hasOwn(styles, name) ? styles[name] : undefined;
      const kind = style || place === 'query' ? 'list' : 'scalar';
      const reader = parameterReader({ name, in: place, ...usual, ...style }, { kind }, reject);
      const values = [reader.read(texts, () => false) ?? []].flat() as string[];
      return values.some((text) => !int64Digits(text) && !(text === '' && nullable.includes(name)));
    });
    return inexact && `${inexact} must be ${INT64_WANTED}.`;
  } catch (error) {
    return (error as Error).message;
  }
}
