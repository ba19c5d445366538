import { isDeepStrictEqual } from 'node:util';
import { bearer, LIST, MISSING_ID, orderNumber, PENDING_ID, SHIPPED_ID, type Data } from './data.ts';
import { exchange, type Request, type Response } from './exchange.ts';
import type { Subject } from './load.ts';

interface Check extends Request {
  readonly status: number;
  readonly isExpected: (response: Response, data: Data) => boolean;
}

/** What every server must do, so that all measurements compare the same work. */
function checksFor({ key, exhausted }: Data): Check[] {
  const headers = bearer(key);
  const list = { method: 'GET', target: LIST, headers } as const;
  const cancel = (id: number | string) => ({ method: 'DELETE', target: `${LIST}/${id}`, headers }) as const;
  return [
    { ...list, status: 200, isExpected: hasEveryOrder },
    { ...cancel(PENDING_ID), status: 204, isExpected: isEmpty },
    { ...cancel(PENDING_ID), status: 204, isExpected: isEmpty },
    { ...cancel(SHIPPED_ID), status: 409, isExpected: isError },
    { ...cancel(MISSING_ID), status: 404, isExpected: isError },
    { ...cancel('abc'), status: 400, isExpected: isError },
    { ...list, target: `${LIST}?page=2`, status: 400, isExpected: isError },
    { ...list, headers: {}, status: 401, isExpected: isChallenge },
    { ...list, headers: bearer(`${key}x`), status: 401, isExpected: isChallenge },
    { ...list, headers: bearer(exhausted), status: 429, isExpected: saysWhenToRetry },
  ];
}

/** Throws an Error that names every difference. */
export async function checkConformance({ server, data }: Subject): Promise<void> {
  const differences: string[] = [];
  // Uses up the quota of this key.
  await exchange(server.origin, { method: 'GET', target: LIST, headers: bearer(data.exhausted) });
  for (const check of checksFor(data)) {
    const response = await exchange(server.origin, check);
    const request = `${check.method} ${check.target}`;
    if (response.status !== check.status) {
      differences.push(`${request} responds with ${response.status}, not with ${check.status}`);
    } else if (!check.isExpected(response, data) || !hasLimitHeaders(response)) {
      differences.push(`${request} responds with ${response.status}, but with unexpected headers or body`);
    }
  }
  if (differences.length > 0) throw new Error(`${server.name} does not conform: ${differences.join('; ')}`);
}

const has = ({ headers }: Response, name: string, value: RegExp) => value.test(headers.get(name) ?? '');
const isJson = (response: Response) => has(response, 'content-type', /^application\/json\b/);

/** hono-rate-limiter sends the names of the IETF draft, without the X-. */
function hasLimitHeaders(response: Response): boolean {
  return ['limit', 'remaining', 'reset'].every((name) =>
    ['x-ratelimit', 'ratelimit'].some((prefix) => has(response, `${prefix}-${name}`, /^\d+$/)),
  );
}

function hasEveryOrder(response: Response, { count }: Data): boolean {
  const expected = Array.from({ length: count }, (_, index) => orderNumber(index + 1));
  return isJson(response) && isDeepStrictEqual(JSON.parse(response.body), expected);
}

const isEmpty = ({ body }: Response) => body === '';

function isError(response: Response): boolean {
  if (!isJson(response)) return false;
  const { code, message, status } = JSON.parse(response.body) as Record<string, unknown>;
  return typeof code === 'string' && typeof message === 'string' && status === response.status;
}

const isChallenge = (response: Response) =>
  isError(response) && has(response, 'www-authenticate', /^Bearer\b/);
const saysWhenToRetry = (response: Response) => isError(response) && has(response, 'retry-after', /^\d+$/);
