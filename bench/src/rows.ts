import { bearer, FIRST_CANCELLED_ID, LIST, SHIPPED_ID, type Data } from './data.ts';
import type { Request } from './exchange.ts';
import type { Environment, Peer } from './server.ts';

export type Sharing = 'key' | 'list' | 'commit';

/** One kind of request, sent to servers that do the same work. */
export interface Row {
  readonly name: string;
  readonly about: string;
  /** How many orders the store has. */
  readonly orders: number;
  readonly status: number;
  readonly request: (data: Data) => Request;
  /** How the requests vary: see load.lua. */
  readonly variation?: readonly string[];
  /** Whether requests cancel orders. */
  readonly cancels?: boolean;
  /** Whether another process changes an order between any two lists. */
  readonly isChanging?: boolean;
  /** Whether the store is PostgreSQL and limits are counted in Redis. */
  readonly isShared?: boolean;
  readonly env?: Environment;
  /** What the service does once for several of these requests, and a peer for each: see requests.ts. */
  readonly shares: readonly Sharing[];
  /** How much more CPU time each of these peers must need. */
  readonly target?: { readonly ratio: number; readonly peers: readonly Peer[] };
}

/** More orders than a server cancels in a round. */
const CANCELLABLE = 100_000;
/** An address may send 60 requests a minute. With this many in turn, none is refused with 429. */
const ADDRESSES = 15_000;

const cancelShipped = (data: Data): Request => ({
  method: 'DELETE',
  target: `${LIST}/${SHIPPED_ID}`,
  headers: bearer(data.key),
});

function list(name: string, orders: number, rest: Partial<Row> = {}): Row {
  return {
    name,
    about: `list of ${orders.toLocaleString('en-US')} orders, as shipped`,
    orders,
    status: 200,
    request: ({ key }) => ({ method: 'GET', target: LIST, headers: bearer(key) }),
    shares: ['key', 'list'],
    target: { ratio: 1, peers: ['express', 'fastify', 'hono'] },
    ...rest,
  };
}

function cancel(name: string, about: string, rest: Partial<Row>): Row {
  return {
    name,
    about,
    orders: CANCELLABLE,
    status: 204,
    request: (data) => ({ ...cancelShipped(data), target: `${LIST}/${FIRST_CANCELLED_ID}` }),
    variation: ['ids', String(FIRST_CANCELLED_ID)],
    cancels: true,
    shares: ['key', 'commit'],
    ...rest,
  };
}

export const rows: readonly Row[] = [
  list('list-10', 10),
  list('list-100', 100),
  list('list-10000', 10_000),
  list('list-changing', 100, {
    about: 'list of 100 orders that changes between requests',
    isChanging: true,
  }),
  cancel('cancel-204', 'cancel of a pending order, on disk before the response', {
    target: { ratio: 1.2, peers: ['fastify'] },
  }),
  {
    name: 'cancel-409',
    about: 'cancel of a shipped order',
    orders: 10,
    status: 409,
    request: cancelShipped,
    shares: ['key'],
    target: { ratio: 1.2, peers: ['fastify'] },
  },
  {
    name: 'no-key-401',
    about: `list without a key, from ${ADDRESSES.toLocaleString('en-US')} addresses`,
    orders: 10,
    status: 401,
    request: () => ({ method: 'GET', target: LIST, headers: { 'X-Forwarded-For': '10.0.0.1' } }),
    variation: ['addresses', String(ADDRESSES)],
    shares: [],
    env: { TRUST_PROXY: '127.0.0.1' },
  },
  {
    name: 'limit-429',
    about: 'list with a key whose quota is used up',
    orders: 10,
    status: 429,
    request: ({ exhausted }) => ({ method: 'GET', target: LIST, headers: bearer(exhausted) }),
    shares: ['key'],
  },
  list('list-100-shared', 100, {
    about: 'list of 100 orders on PostgreSQL and Redis',
    isShared: true,
    target: { ratio: 1, peers: ['fastify'] },
  }),
  cancel('cancel-204-shared', 'cancel of a pending order on PostgreSQL and Redis', {
    isShared: true,
    target: { ratio: 1, peers: ['fastify'] },
  }),
];
