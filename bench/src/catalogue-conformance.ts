import { isDeepStrictEqual } from 'node:util';
import { products } from '../catalogue/products.mjs';
import { NEW_PRODUCT, PRODUCTS } from './catalogue-rows.ts';
import { bearer } from './data.ts';
import { exchange, type Request, type Response } from './exchange.ts';
import type { Server } from './server.ts';

interface Check extends Omit<Request, 'headers'> {
  readonly status: number;
  /** The JSON of the body. */
  readonly isExpected?: (body: unknown) => boolean;
}

const get = (target: string) => ({ method: 'GET', target: PRODUCTS + target }) as const;
const post = (change: object) => {
  const body = JSON.stringify({ ...NEW_PRODUCT, ...change });
  return { method: 'POST', target: PRODUCTS, body } as const;
};
const isEqual = (expected: unknown) => (body: unknown) => isDeepStrictEqual(body, expected);

/** What every server must do, so that all measurements compare the same work. */
const checks: readonly Check[] = [
  { ...get(''), status: 200, isExpected: isEqual(products.slice(0, 20)) },
  { ...get('?limit=3'), status: 200, isExpected: isEqual(products.slice(0, 3)) },
  ...['?limit=0', '?limit=101', '?limit=x', '?page=2', '/42'].map((target) => ({
    ...get(target),
    status: 400,
  })),
  { ...get(`/${products[7]?.id ?? ''}`), status: 200, isExpected: isEqual(products[7]) },
  { ...get('/00000000-0000-4000-8000-999999999999'), status: 404 },
  {
    ...post({}),
    status: 201,
    isExpected: (body) => {
      const { id, ...rest } = body as { readonly id: unknown };
      return typeof id === 'string' && isDeepStrictEqual(rest, NEW_PRODUCT);
    },
  },
  { ...post({ note: 'fragile' }), status: 201 },
  ...[
    { name: undefined },
    { name: '' },
    { supplierId: '42' },
    { category: 'car' },
    { priceInCents: 1.5 },
    { contact: 'nobody' },
    { availableFrom: 'tomorrow' },
    { dimensions: { width: 1, height: 2 } },
    { dimensions: { width: 1, height: 2, depth: -3 } },
    { dimensions: null },
    { color: 'red' },
  ].map((wrong) => ({ ...post(wrong), status: 400 })),
];

/** The headers of a request of the catalogue, whose body is JSON. */
export function headersOf({ body }: Pick<Request, 'body'>, key: string): Record<string, string> {
  return {
    ...(key !== '' && bearer(key)),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
}

/** Throws an Error that names every difference. */
export async function checkCatalogue({ name, origin }: Server, key: string): Promise<void> {
  const differences: string[] = [];
  const ask = async (check: Check, shown: string) => {
    const response = await exchange(origin, { ...check, headers: headersOf(check, shown) });
    const request = `${check.method} ${check.target} ${check.body ?? ''}`.trim();
    if (response.status !== check.status)
      differences.push(`${request} responds with ${response.status}, not with ${check.status}`);
    else if (!isJson(response) || check.isExpected?.(JSON.parse(response.body)) === false)
      differences.push(`${request} responds with another body`);
    else if (shown !== '' && shown === key && !response.headers.has('x-ratelimit-remaining'))
      differences.push(`${request} has no rate-limit headers`);
  };
  for (const check of checks) await ask(check, key);
  if (key !== '') for (const shown of ['', `${key}x`]) await ask({ ...get(''), status: 401 }, shown);
  if (differences.length > 0) throw new Error(`${name} does not conform: ${differences.join('; ')}`);
}

const isJson = ({ headers }: Response) => /^application\/json\b/.test(headers.get('content-type') ?? '');
