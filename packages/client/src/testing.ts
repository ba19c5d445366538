import { errorCodes, operations, plans, policies } from '@petstore/contract';
import {
  consume,
  deprecationHeaders,
  isUnderBasePath,
  newCounters,
  paramsOf,
  peek,
  rateLimitHeaders,
  routeFinder,
  STANDARD_BAN,
  WELL_FORMED_REQUEST_ID,
  type Counters,
  type Decision,
} from '@petstore/contract/service';
import type { Clock, ErrorCode, OperationId } from '@petstore/client';
import { platformClock } from './clock.ts';
import { refuse, toResponse, type Answer } from './testing/answer.ts';
import type { FakeOrder, FakePetstoreOptions } from './testing/options.ts';
import { credentialsOf, invalid, keyIn, requestOf, unauthorized } from './testing/request.ts';
import { createStore } from './testing/store.ts';

export type { FakeOrder, FakePetstoreOptions, OrderStatus } from './testing/options.ts';

export interface FakePetstore {
  /** Answers as the service does, whatever the host of the URL. For `createPetstore`, msw, or in place of `fetch`. */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /** The orders in the store by id, as they are now. Change them, or add some, to change what is answered. */
  readonly orders: Map<number, FakeOrder>;
  /**
   * Lets the next requests fail, before anything is counted or done: with an error of the API, with a response of your
   * own, or with an error that `fetch` rejects with, such as `new TypeError('fetch failed')`.
   *
   * @throws {TypeError} if the API has no error with this code.
   */
  readonly fail: (
    how: ErrorCode | Response | Error,
    which?: { readonly times?: number | undefined; readonly operation?: OperationId | undefined },
  ) => void;
}

// Nobody uses that up.
const UNLIMITED = { perMinute: 1_000_000, perDay: 1_000_000_000 };

const systemClock: Clock = { ...platformClock, now: () => Date.now() };

type Failure = ErrorCode | Response | Error;

/**
 * Creates a service in memory, for tests: with the paths, statuses, headers, bodies, quotas and bans of the real one.
 * An operation that has no behaviour here answers with the example that the contract gives.
 *
 * @throws {TypeError} if an order or a pet has no id of its own, or the plan no quota.
 */
export function createFakePetstore(options: FakePetstoreOptions = {}): FakePetstore {
  const { keys, plan = UNLIMITED, clock = systemClock, latency = 0 } = options;
  const quota = typeof plan === 'string' ? plans[plan]?.quota : plan;
  if (!quota)
    throw new TypeError(`give the plan ${JSON.stringify(plan)} by its numbers: { perMinute, perDay }`);
  const store = createStore(options);
  const routeOf = routeFinder(operations);
  const headersOf = deprecationHeaders(policies);
  const accounts = new Map<string | undefined, Counters>();
  const failures: { how: Failure; operation: OperationId | undefined; left: number }[] = [];
  let count = 0;

  function nextFailure(operation: OperationId | undefined): Failure | undefined {
    const next = failures.find((each) => each.left > 0 && (each.operation ?? operation) === operation);
    if (next) next.left--;
    return next?.how;
  }

  /** Answers in the order of the service's stages. Throws what `fail` was told to reject with. */
  function respond({ method, url, headers }: Request, body: string): Response {
    const { pathname, searchParams } = new URL(url);
    const now = clock.now();
    const sentId = headers.get('x-request-id') ?? '';
    const common: Record<string, string> = {
      Date: new Date(now).toUTCString(),
      'X-Request-Id': WELL_FORMED_REQUEST_ID.test(sentId) ? sentId : `fake-${++count}`,
      'X-Content-Type-Options': 'nosniff',
    };
    const finish = (answer: Answer) =>
      toResponse({ ...answer, headers: { ...common, ...answer.headers } }, method);

    const route = routeOf(pathname);
    const operation = route?.operations[method];
    const isReadable = isEncoded(pathname);
    const isOptions = route && isReadable && method === 'OPTIONS';
    const isInside = isUnderBasePath(pathname);
    const credentials = credentialsOf(operation && operations[operation]);
    const key = keyIn(headers, credentials);
    const isKnown = key !== undefined && (keys?.includes(key) ?? true);
    const failure = nextFailure(operation);
    let refusal: Decision['refusal'];
    if (isInside) {
      Object.assign(common, { 'Cache-Control': 'no-store' }, operation && headersOf[operation]);
      // Who shows no key is one account, with the quota of an address.
      const caller = isKnown ? key : undefined;
      const counters = accounts.get(caller) ?? newCounters();
      accounts.set(caller, counters);
      const account = isKnown
        ? { id: '', quota, banGeneration: 0 }
        : { id: '', quota: plan === UNLIMITED ? plan : plans.free.quota };
      const decision: Decision =
        failure !== undefined || isOptions
          ? peek(counters, account, now)
          : consume(counters, account, STANDARD_BAN, now);
      Object.assign(common, rateLimitHeaders(decision));
      ({ refusal } = decision);
    }

    if (typeof failure === 'string')
      return finish(refuse(failure, `The fake was told to answer ${failure}.`));
    if (failure && 'clone' in failure) return failure.clone();
    if (failure) throw failure;
    if (refusal)
      return finish(refuse(refusal.code, refusal.message, { 'Retry-After': String(refusal.retryAfter) }));
    if (!isReadable) {
      const message = 'The path is not percent-encoded correctly (RFC 3986 §2.1).';
      return finish(refuse('invalid_request', message));
    }
    if (!route) return finish(refuse('not_found', 'There is nothing at this path.'));
    if (isOptions) return finish({ status: 204, headers: { Allow: route.allow } });
    if (!operation) {
      const message = `${method} is not allowed here. Allowed: ${route.allow}.`;
      return finish(refuse('method_not_allowed', message, { Allow: route.allow }));
    }
    if (!isKnown && !operations[operation].open) return finish(unauthorized(credentials, key !== undefined));
    const path = paramsOf(route, pathname);
    const type = headers.get('content-type');
    return finish(
      invalid(operations[operation], path, searchParams, type, body) ?? store.perform(operation, path),
    );
  }

  return {
    orders: store.orders,
    fail(how, { times = 1, operation } = {}) {
      if (typeof how === 'string' && !(how in errorCodes))
        throw new TypeError(`no error has the code ${how}`);
      failures.push({ how, operation, left: times });
    },
    async fetch(input, init) {
      // A request may be of another realm, or of a polyfill, and then is none for `new Request`.
      const request =
        !init && typeof input === 'object' && 'headers' in input ? input : requestOf(input, init);
      const body = request.body === null ? '' : await request.text();
      const { signal } = request;
      // That of an older jsdom has no `throwIfAborted`.
      if (signal.aborted) throw signal.reason;
      if (latency > 0) {
        await new Promise<void>((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          void clock.sleep(latency, signal).then(resolve);
        });
      }
      return respond(request, body);
    },
  };
}

function isEncoded(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
