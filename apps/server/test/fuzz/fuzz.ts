import { document as contract } from '@petstore/contract/document';
import fc from 'fast-check';
import type { JsonObject } from '@petstore/contract/json-pointer';
import { createCoverage, type Coverage } from './coverage.ts';
import { withKeys, type Keys } from './credentials.ts';
import { curlLine } from './curl.ts';
import { exhaust } from './exhaust.ts';
import { operationsIn, type Operation } from './operations.ts';
import { checkHead, createOracle } from './oracle.ts';
import { casesOf, type Case } from './requests.ts';
import { createWire, type WireRequest } from './wire.ts';

/** The server to fuzz, with the operator's hand on it. */
export interface Target {
  readonly origin: string;
  /** The valid key must have a quota that no run can use up. */
  readonly keys: Keys;
  /** Creates a key that may be used `perMinute` times a minute. */
  limitedKey(perMinute: number): Promise<string>;
  /** Moves the server's clock on. */
  advance(milliseconds: number): void;
}

export interface FuzzOptions {
  readonly seed: number;
  /** Requests of each operation, those that 429 is tried with not counted. */
  readonly runs: number;
  readonly document?: JsonObject;
  /** The one operation to send requests of; all of them unless it is given. */
  readonly only?: string | undefined;
  /** How long an answer may take, in milliseconds. */
  readonly patience?: number;
  /** Ends the run early, with what was seen until then. */
  readonly signal?: AbortSignal;
  /** Where it goes on from another run's coverage. */
  readonly coverage?: Coverage;
}

export interface Failure {
  readonly operation: string;
  readonly seed: number;
  readonly what: string;
  readonly problems: readonly string[];
  readonly curl: string;
}

export interface Report {
  readonly seed: number;
  readonly failures: readonly Failure[];
  readonly coverage: Coverage;
}

/** Without a key, a minute has room for 60 requests and a day for 1,000: so many go before the clock moves on. */
const REQUESTS_PER_DAY = 50;
/** After so many requests the simplest failing one yet is simple enough. */
const MAX_SHRINKS = 200;
const DAY = 24 * 60 * 60_000;

/** Sends `runs` requests of every operation to `target` and holds each answer against the contract. */
export async function fuzz(target: Target, options: FuzzOptions): Promise<Report> {
  const { seed, runs, document = contract, only, patience = 5_000, signal } = options;
  const operations = operationsIn(document);
  const fuzzed = operations.filter(({ id }) => only === undefined || id === only);
  const coverage = options.coverage ?? createCoverage(fuzzed);
  const oracle = createOracle(document);
  const wire = createWire(target.origin, { patience });
  let sent = 0;

  /** Sends `request` and returns what is wrong with its answer. */
  async function attempt(request: Case, keys: Keys = target.keys): Promise<string[]> {
    sent += 1;
    if (sent % REQUESTS_PER_DAY === 0 && keys === target.keys) target.advance(DAY);
    try {
      const answer = await wire.send(onWire(request, keys));
      coverage.note(request.answeredBy === 'operation' ? request.operation.id : undefined, answer.status);
      const problems = oracle(request, answer);
      if (request.like === undefined) return problems;
      const like = await wire.send(onWire({ ...request, method: request.like }, keys));
      return [...problems, ...checkHead(answer, like)];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  }

  const failures: Failure[] = [];
  const fail = (
    operation: Operation,
    request: Case,
    problems: readonly string[],
    keys: Keys = target.keys,
  ) => {
    const curl = curlLine(target.origin, onWire(request, keys));
    failures.push({ operation: operation.id, seed, what: request.what, problems, curl });
  };
  try {
    for (const operation of fuzzed) {
      const cases = casesOf(operation, operations, document);
      let shrinksLeft = MAX_SHRINKS;
      const holds = async (request: Case) => {
        if (signal?.aborted || shrinksLeft === 0) return true;
        const isRight = (await attempt(request)).length === 0;
        if (!isRight || shrinksLeft < MAX_SHRINKS) shrinksLeft -= 1;
        return isRight;
      };
      const details = await fc.check(fc.asyncProperty(cases, holds), { seed, numRuns: runs });
      const [request] = details.counterexample ?? [];
      if (details.failed && request) fail(operation, request, await attempt(request));
      if (signal?.aborted) break;
      await exhaust(cases, { target, seed, attempt, fail: (...failure) => fail(operation, ...failure) });
    }
  } finally {
    wire.close();
  }
  return { seed, failures, coverage };
}

function onWire({ method, target, headers, body }: Case, keys: Keys): WireRequest {
  return {
    method,
    target: withKeys(target, keys),
    headers: headers.map(([name, value]) => [name, withKeys(value, keys)]),
    body,
  };
}

/** A failure for people: the seed, the shrunk case, and the line that sends it again. */
export function describeFailure({ operation, seed, what, problems, curl }: Failure): string {
  return [
    `${operation}: ${what} (seed ${seed})`,
    ...problems.map((problem) => `  - ${problem}`),
    `  ${curl}`,
  ].join('\n');
}
