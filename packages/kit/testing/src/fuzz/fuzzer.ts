import assert from 'node:assert/strict';
import { type Contract, variableOf } from '@contract-kit/core';
import { keyText, IDEMPOTENCY_KEY } from '@contract-kit/core/http';
import { readModel } from '@contract-kit/core/model';
import fc from 'fast-check';
import {
  askRaw,
  digestOf,
  KEPT_FOR,
  type KeyStore,
  type RawRequest,
  type TestClock,
} from '@contract-kit/server/internals';
import { operationsIn, type Operation } from './operations.ts';
import { checkHead, createOracle, type Answer } from './oracle.ts';
import { Breach, reportOf } from './report.ts';
import { casesOf, keysOf, type Case } from './requests.ts';

export type { Answer, Operation };

const PLENTY = 1_000_000_000;
const HOUR = 60 * 60_000;
/** Requests per minute of the limited key. */
const QUOTA = 3;
/** Requests with it. Above twice the quota the key is banned: both refusals are tested. */
const ASKED = 3 * QUOTA;
/** Of one request, in milliseconds. */
const RESPONSE_TIME = 5_000;

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

export function createFuzzer(contract: Contract, model = readModel(contract.document)) {
  const oracle = createOracle(model);
  const keys = keysOf(contract.keyPrefix);
  const keyVariable = variableOf(contract.name, 'API_KEY');
  // Operations are tried one after another.
  let last: { readonly operation: Operation; readonly cases: ReturnType<typeof casesOf> } | undefined;
  const casesFor = (operation: Operation) => {
    if (last?.operation !== operation) last = { operation, cases: casesOf(operation, keys) };
    return last.cases;
  };

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
      const of = { plan: 'enterprise', quota, scopes: contract.scopes ?? [] };
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
    // A client never sees why a server failed.
    const causesSince = (start: number) => logged.slice(start).flatMap(causeIn);
    const hold = async (request: Case) => {
      const start = logged.length;
      const answer = await ask(request).catch((error: unknown) => {
        const fault = { found: String(error), expected: 'one whole response', rule: 'each request gets one' };
        throw new Breach({ request, faults: [fault], causes: causesSince(start) });
      });
      const { status } = answer;
      const faults = oracle(request, answer);
      if (request.isAnsweredByOperation) {
        seen.set(status, (seen.get(status) ?? 0) + 1);
        if (request.method === 'HEAD' && operation.method === 'GET')
          faults.push(...checkHead(answer, await ask({ ...request, method: 'GET' })));
      }
      if (faults.length > 0) throw new Breach({ request, faults, answer, causes: causesSince(start) });
    };
    const report = (breach: Breach) => reportOf(breach, { seed: parameters.seed, keys, keyVariable });
    const { all, sample } = casesFor(operation);
    const usual = fc.asyncProperty(all, (request) => {
      advance(idempotencyKeyIn(request) === undefined ? HOUR : KEPT_FOR);
      return hold(request);
    });
    const examples = sample ? [[sample] as [Case]] : [];
    const { counterexample, errorInstance } = await fc.check(usual, {
      ...{ timeout: RESPONSE_TIME, examples },
      ...parameters,
    });
    if (counterexample) {
      const { message } = errorInstance as Error;
      const fault = {
        found: message,
        expected: 'a response in time',
        rule: 'no request keeps the server busy',
      };
      const [request] = counterexample;
      throw report(
        errorInstance instanceof Breach ? errorInstance : new Breach({ request, faults: [fault] }),
      );
    }

    // Without plans, no key has a quota.
    if (Object.keys(contract.plans).length === 0) return seen;

    advance(KEPT_FOR);
    // Time stands still here, so each idempotency key is sent once. Few need more of them.
    const countedOf = (numRuns: number) => {
      const sampled = fc.sample(all, { seed: parameters.seed, numRuns });
      const counted = sampled.filter((request) => isCounted(request, operation, keys.usual));
      return [...new Map(counted.map((request) => [idempotencyKeyIn(request) ?? request, request])).values()];
    };
    const few = countedOf(4 * ASKED);
    const asked = (few.length < ASKED ? countedOf(12 * ASKED) : few).slice(0, ASKED);
    for (const [index, request] of asked.entries()) {
      const headers = request.headers.map(
        ([name, value]) => [name, value.replace(keys.usual, keys.limited)] as const,
      );
      const refused = {
        ...{ what: `${request.what}, beyond the quota,`, statuses: [429], allow: undefined },
        because: `${QUOTA} requests with this key were sent in this minute, which is its quota`,
        isForHandler: false,
      };
      await hold({ ...request, headers, ...(index >= QUOTA && refused) }).catch((error: unknown) => {
        throw error instanceof Breach ? report(error) : error;
      });
    }
    return seen;
  }

  /** As `fuzz`, to an operation that is not implemented: the handler is reached, if a request can be made, and responds with 501. */
  async function fuzzUnfinished(...[operation, target, parameters]: Parameters<typeof fuzz>): Promise<void> {
    const seen = await fuzz(operation, target, parameters);
    const successes = [...seen.keys()].filter((status) => status < 400);
    assert.deepEqual(successes, [], 'no request may succeed');
    // Otherwise nothing may be valid.
    if (casesFor(operation).sample) assert(seen.get(501), 'some request must get 501');
  }

  return {
    operations: operationsIn(model, contract),
    keys,
    targetOf,
    fuzz,
    fuzzUnfinished,
  };
}

/** The error with its stack in a line of the log, or else what violates the contract. */
function causeIn({ err }: Target['logged'][number]): string[] {
  if (err === undefined) return [];
  const { stack = JSON.stringify(err) } = Object(err) as { readonly stack?: string };
  return [stack];
}

function idempotencyKeyIn({ headers }: Case): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === IDEMPOTENCY_KEY)?.[1];
}

/** Whether the request counts once, against the key: not OPTIONS, nor HEAD with its GET, unless the contract describes it. */
function isCounted({ method, headers }: Case, operation: Operation, key: string): boolean {
  const credentials = headers.filter(([name]) => name.toLowerCase() === 'authorization');
  return (
    (method === operation.method || !['OPTIONS', 'HEAD'].includes(method)) &&
    credentials.map(([, value]) => value).join() === keyText('Bearer', key)
  );
}
