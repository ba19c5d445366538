import type { ClientContract, ClientOperation } from '../../src/client-contract.ts';
import {
  createClient,
  createFetch as createFetchOf,
  InputError,
  type CallOptions,
  type Options,
  type PacedFetch,
} from '../../src/index.ts';
import { createPathClient as createPathClientOf } from '../../src/openapi-fetch.ts';
import { streamList } from '../../src/stream.ts';
import type { FakeContract } from '../../src/testing.ts';
import type { BaseCall, Int64, Reply } from '../../src/types.ts';

/* The client of a small contract, as it would be generated. */

const errors = { 400: true, 401: true, 404: true, 409: true, 429: true, 500: true, 503: true };

export const operations = {
  listLoans: {
    method: 'GET',
    path: '/loans',
    responseTypes: { 200: 'array' },
    errors,
  },
  cancelLoan: {
    method: 'DELETE',
    path: '/loans/{loanId}',
    int64: ['loanId'],
    responseTypes: { 204: 'none' },
    errors,
  },
  getBook: {
    method: 'GET',
    path: '/books/{bookId}',
    int64: ['bookId'],
    responseTypes: { 200: 'object' },
    errors,
  },
} satisfies Record<string, ClientOperation>;

const headerTypes = {
  ...{ 'X-RateLimit-Limit': 'integer', 'X-RateLimit-Remaining': 'integer', 'X-RateLimit-Reset': 'integer' },
  ...{ 'X-Request-Id': 'string', 'Retry-After': 'integer', Deprecation: 'string', Sunset: 'string' },
};

export const contract: ClientContract<typeof operations> = {
  name: 'library',
  version: '1.0.0',
  servers: {
    production: 'https://api.library.example/v1',
    staging: 'https://staging.library.example/v1',
    local: 'http://localhost:3000/v1',
  },
  basePath: '/v1',
  operations,
  headerTypes,
};

export const fakeContract: FakeContract = {
  name: 'library',
  basePath: '/v1',
  operations,
  plans: {
    free: { name: 'Free', quota: { perMinute: 60, perDay: 1000 } },
    enterprise: { name: 'Enterprise', quota: undefined },
  },
  anonymousQuota: { perMinute: 60, perDay: 1000 },
  errorCodes: {
    ...{ invalid_request: 400, unauthorized: 401, not_found: 404, method_not_allowed: 405 },
    ...{
      loan_already_returned: 409,
      rate_limit_exceeded: 429,
      api_key_banned: 429,
      service_unavailable: 503,
    },
  },
  examples: {
    listLoans: { status: 200, body: [{ id: 1 }, { id: 2 }] },
    cancelLoan: { status: 204 },
    getBook: { status: 200, body: { id: 1 } },
  },
  deprecations: { getBook: { since: '2026-11-01', sunset: '2027-06-30' } },
};

export interface Loan {
  readonly id?: number;
}

type Call<Data> = BaseCall<Data, Reply<number, Data, object>, unknown>;

export interface Library {
  listLoans(input?: CallOptions, options?: CallOptions): Call<Loan[]>;
  cancelLoan(input: { loanId: Int64 }, options?: CallOptions): Call<undefined>;
  getBook(input: { bookId: Int64 }, options?: CallOptions): Call<object>;
  withOptions(options: Options): Library;
  readonly fetch: PacedFetch;
}

export const createFetch = (options: Options = {}) => createFetchOf(contract, options);

interface Paths {
  '/loans': { get: { responses: { 200: { content: { 'application/json': Loan[] } } } } };
  '/loans/{loanId}': {
    delete: {
      parameters: { path: { loanId: bigint } };
      responses: { 204: { content?: never }; 409: { content: { 'application/json': { code: string } } } };
    };
  };
}

export const createPathClient = (options: Options = {}) =>
  createPathClientOf<Paths>(createFetch(options), InputError);

export const createLibrary = (options: Options = {}) => createClient(contract, options) as unknown as Library;

export const streamLoans = (
  library: { listLoans(input?: CallOptions): Promise<Loan[]> },
  options?: CallOptions,
) => streamList(library, 'listLoans', {}, options) as AsyncGenerator<Loan, void, undefined>;
