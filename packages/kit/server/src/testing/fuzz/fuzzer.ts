import type { Contract } from '@contract-kit/core';
import { IDEMPOTENCY_KEY } from '@contract-kit/core/idempotency-key';
import fc from 'fast-check';
import { KEPT_FOR } from '../../idempotency/response-store.ts';
import { digestOf } from '../../keys/api-key.ts';
import { allScopes } from '../../keys/create-key.ts';
import type { KeyStore } from '../../keys/key-store.ts';
import { askRaw, type RawRequest } from '../raw.ts';
import type { TestClock } from '../service.ts';
import { operationsIn, type Operation } from './operations.ts';
import { checkHead, createOracle, type Answer } from './oracle.ts';
import { casesOf, keysOf, type Case } from './requests.ts';

/* `@contract-kit/server/fuzzer`: generates requests from a contract, and validates every response against it. */

export type { Answer, Operation };

const PLENTY = 1_000_000_000;
const HOUR = 60 * 60_000;
/** Requests per minute of the limited key. */
const QUOTA = 3;

/** The server to fuzz. */
export interface Target {
  readonly ask: (request: RawRequest) => Promise<Answer>;
  /** Advances the server's clock, so that the address never reaches its limit, and no request repeats another. */
  readonly advance: (milliseconds: number) => void;
  /** The lines of the server's log so far. */
  readonly logged: readonly Readonly<Record<string, unknown>>[];
}

/** The status that a handler returned last. */
export interface Returned {
  status?: number;
}

type FuzzParameters = fc.Parameters<[Case]> & { readonly seed: number };

export function createFuzzer(contract: Contract) {
  const oracle = createOracle(contract);
  const keys = keysOf(contract.keyPrefix);
  const casesFor = new Map<Operation, fc.Arbitrary<Case>>();

  /** A service as in production, without validation of its responses, with the fuzzer's keys. */
  async function targetOf(
    service: {
      readonly origin: string;
      readonly clock: TestClock;
      readonly store: { readonly keys: KeyStore };
      readonly logged: Target['logged'];
    },
    returned: Returned = {},
  ): Promise<Target> {
    for (const [key, perMinute] of [[keys.usual, PLENTY] as const, [keys.limited, QUOTA] as const]) {
      const id = digestOf(key);
      const quota = { perMinute, perDay: PLENTY };
      const of = { plan: 'enterprise', quota, scopes: allScopes(contract) };
      await service.store.keys.insert({ id, digest: id, name: 'fuzz', createdAt: new Date(), ...of });
    }
    return {
      async ask(request) {
        delete returned.status;
        const response = await askRaw(service.origin, request);
        const { status, headers } = response;
        const body = await response.text();
        return { status, headers: Object.fromEntries(headers), body, returned: returned.status };
      },
      advance: (milliseconds) => service.clock.advance(milliseconds),
      logged: service.logged,
    };
  }

  /**
   * Sends generated requests to `operation`, and then more with a used-up key. Throws with the seed and
   * the simplest request whose response breaks the contract. Resolves to the number of responses by status.
   */
  async function fuzz(
    operation: Operation,
    { ask, advance, logged }: Target,
    parameters: FuzzParameters,
  ): Promise<Map<number, number>> {
    const seen = new Map<number, number>();
    const check = async (request: Case) => {
      const answer = await ask(request);
      const { status } = answer;
      const problems = oracle(request, answer);
      if (request.isAnsweredByOperation) {
        seen.set(status, (seen.get(status) ?? 0) + 1);
        if (request.method === 'HEAD' && operation.method === 'GET')
          problems.push(...checkHead(answer, await ask({ ...request, method: 'GET' })));
      }
      if (problems.length > 0) throw new Error(problems.join('; '));
    };
    // A client never sees why a server failed.
    const hold = async (request: Case) => {
      const start = logged.length;
      await check(request).catch(({ message }: Error) => {
        const errors = logged.slice(start).flatMap(({ err }) => err ?? []) as (string | { stack: string })[];
        const stacks = errors.map((error) => (typeof error === 'object' ? error.stack : error));
        throw new Error([message, ...stacks].join('\n'));
      });
    };
    const cases = casesFor.get(operation) ?? casesOf(operation, keys);
    casesFor.set(operation, cases);
    const usual = fc.asyncProperty(cases, (request) => {
      advance(idempotencyKeyIn(request) === undefined ? HOUR : KEPT_FOR);
      return hold(request);
    });
    await fc.assert(usual, { timeout: 5_000, includeErrorInReport: true, ...parameters });

    // Without plans, no key has a quota.
    if (Object.keys(contract.plans).length === 0) return seen;

    advance(KEPT_FOR);
    const counted = fc
      .sample(cases, { seed: parameters.seed, numRuns: 60 })
      .filter((request) => isCounted(request, operation, keys.usual));
    // Time stands still here, so each idempotency key is sent once.
    const distinct = new Map(counted.map((request) => [idempotencyKeyIn(request) ?? request, request]));
    // Above twice the quota the key is banned: both refusals are tested.
    const asked = [...distinct.values()].slice(0, 3 * QUOTA);
    for (const [index, request] of asked.entries()) {
      const headers = request.headers.map(
        ([name, value]) => [name, value.replace(keys.usual, keys.limited)] as const,
      );
      const refused = {
        ...{ what: `${request.what}, beyond the quota,`, statuses: [429], allow: undefined },
        isForHandler: false,
      };
      await hold({ ...request, headers, ...(index >= QUOTA && refused) }).catch((error: unknown) => {
        throw new Error(`seed ${parameters.seed}, ${fc.stringify(request)}`, { cause: error });
      });
    }
    return seen;
  }

  return { operations: operationsIn(contract), keys, targetOf, fuzz };
}

function idempotencyKeyIn({ headers }: Case): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === IDEMPOTENCY_KEY)?.[1];
}

/** Whether the request counts once, against the key: not OPTIONS, nor HEAD with its GET, unless the contract describes it. */
function isCounted({ method, headers }: Case, operation: Operation, key: string): boolean {
  const credentials = headers.filter(([name]) => name.toLowerCase() === 'authorization');
  return (
    (method === operation.method || !['OPTIONS', 'HEAD'].includes(method)) &&
    credentials.map(([, value]) => value).join() === `Bearer ${key}`
  );
}
