import { isDeepStrictEqual } from 'node:util';
import { bearer, LIST, MISSING_ID, orderNumber, PENDING_ID, SHIPPED_ID, type Data } from './data.ts';
import { exchange, type Answered, type Asked } from './exchange.ts';

interface Check extends Asked {
  readonly status: number;
  readonly has?: (answer: Answered, data: Data) => boolean;
}

const order = (id: number | string) => `${LIST}/${id}`;

/** What every server must do before it is timed, so that all are timed at the same work. */
function checksFor({ key, exhausted }: Data): Check[] {
  const headers = bearer(key);
  const unknown = bearer(`${key.slice(0, -1)}!`);
  return [
    { method: 'GET', target: LIST, headers, status: 200, has: listsEveryOrder },
    { method: 'DELETE', target: order(PENDING_ID), headers, status: 204, has: isEmpty },
    { method: 'DELETE', target: order(PENDING_ID), headers, status: 204, has: isEmpty },
    { method: 'DELETE', target: order(SHIPPED_ID), headers, status: 409, has: isError },
    { method: 'DELETE', target: order(MISSING_ID), headers, status: 404, has: isError },
    { method: 'DELETE', target: order('abc'), headers, status: 400, has: isError },
    { method: 'GET', target: `${LIST}?page=2`, headers, status: 400, has: isError },
    { method: 'GET', target: LIST, status: 401, has: isChallenge },
    { method: 'GET', target: LIST, headers: unknown, status: 401, has: isChallenge },
    { method: 'GET', target: LIST, headers: bearer(exhausted), status: 429, has: saysWhenToRetry },
  ];
}

export interface Exchanged {
  readonly asked: Asked;
  readonly answered: Answered;
}

/** Throws an Error that names every departure. Returns what was exchanged, for the raw server to send again. */
export async function checkConformance(
  name: string,
  origin: string,
  data: Data,
  checkList = true,
): Promise<Exchanged[]> {
  const departures: string[] = [];
  const exchanged: Exchanged[] = [];
  // Uses up what the exhausted key may ask for.
  await exchange(origin, { method: 'GET', target: LIST, headers: bearer(data.exhausted) });
  for (const check of checksFor(data)) {
    if (check.has === listsEveryOrder && !checkList) continue;
    const answered = await exchange(origin, check);
    exchanged.push({ asked: check, answered });
    const what = `${check.method} ${check.target}, ${check.status} expected`;
    if (answered.status !== check.status) departures.push(`${what}: ${answered.status}`);
    else if (check.has && !check.has(answered, data)) departures.push(`${what}: unexpected headers or body`);
    if (!hasLimitHeaders(answered)) departures.push(`${what}: rate-limit headers are missing`);
  }
  if (departures.length > 0) throw new Error(`${name} does not conform: ${departures.join('; ')}`);
  return exchanged;
}

const numeric = (value: unknown) => typeof value === 'string' && /^\d+$/.test(value);

/** hono-rate-limiter sends the names of the IETF draft, without the X-. */
function hasLimitHeaders({ headers }: Answered): boolean {
  return ['limit', 'remaining', 'reset'].every(
    (name) => numeric(headers[`x-ratelimit-${name}`]) || numeric(headers[`ratelimit-${name}`]),
  );
}

function listsEveryOrder({ headers, body }: Answered, { count }: Data): boolean {
  const orders = JSON.parse(body.toString()) as unknown[];
  return (
    /^application\/json\b/.test(headers['content-type'] ?? '') &&
    orders.length === count &&
    orders.every((found, index) => isDeepStrictEqual(found, orderNumber(index + 1)))
  );
}

function isEmpty({ body }: Answered): boolean {
  return body.length === 0;
}

function isError({ status, headers, body }: Answered): boolean {
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return false;
  const error = JSON.parse(body.toString()) as Record<string, unknown>;
  return (
    typeof error['code'] === 'string' && typeof error['message'] === 'string' && error['status'] === status
  );
}

function isChallenge(answer: Answered): boolean {
  return isError(answer) && /^Bearer\b/.test(answer.headers['www-authenticate'] ?? '');
}

function saysWhenToRetry(answer: Answered): boolean {
  return isError(answer) && numeric(answer.headers['retry-after']);
}
