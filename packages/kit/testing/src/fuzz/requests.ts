import { DEFAULT_CREDENTIALS, keyText } from '@contract-kit/core/http';
import fc, { type Arbitrary } from 'fast-check';
import { apiKeyFormat, type RawRequest } from '@contract-kit/server/internals';
import {
  malformedBodies,
  namesAnyQuery,
  NOISE,
  OTHER_SITE,
  otherPaths,
  undeclaredQueries,
  unsupportedMethods,
} from './changes.ts';
import { inputsOf, type Filled } from './inputs.ts';
import type { Credentials, Header, Operation } from './operations.ts';
import type { Verdict } from './texts.ts';
import { SIMPLEST_FIRST } from './values.ts';

/** The API keys of the fuzzer: fixed, so that a seed always generates the same requests. */
export interface Keys {
  readonly usual: string;
  /** Has a small quota. */
  readonly limited: string;
  /** Well-formed, but not in the store. */
  readonly unknown: string;
}

export function keysOf(prefix: string): Keys {
  const format = apiKeyFormat(prefix);
  const keyCalled = (name: string) => format.keyOf(name.padEnd(32, '0'));
  return {
    usual: keyCalled('TheKeyOfTheFuzzer'),
    limited: keyCalled('TheKeyThatIsUsedUp'),
    unknown: keyCalled('TheKeyThatNobodyHas'),
  };
}

/** A request, and the response that the contract requires. */
export interface Case extends RawRequest {
  readonly what: string;
  readonly operation: Operation;
  /** Whether the operation responds. Statuses such as 405 belong to no operation. */
  readonly isAnsweredByOperation: boolean;
  /** Those of a response that no handler chooses. */
  readonly statuses: readonly number[];
  /** Why the response has one of them. */
  readonly because: string;
  /** Whether the handler is called, and may choose another status. */
  readonly isForHandler: boolean;
  /** The required `Allow` header. */
  readonly allow?: readonly string[] | undefined;
}

/** Every kind of request that concerns an operation. */
export interface Cases {
  readonly all: Arbitrary<Case>;
  /** With samples of all parameters and of the body; undefined if one has none. */
  readonly sample: Case | undefined;
}

export function casesOf(operation: Operation, keys: Keys): Cases {
  const { fitting, unfitting = fitting, sample } = inputsOf(operation);
  // An open operation is tested with a key too.
  const bearer: Credentials = {
    headers: Object.entries(DEFAULT_CREDENTIALS).map(([name, prefix]) => [name, keyText(prefix, keys.usual)]),
    targetOf: String,
  };
  const [first = bearer, ...others] = operation.alternatives.map((credentials) => credentials(keys.usual));
  const usual = (filled: Filled, credentials = first): Case => ({
    what: DESCRIBED[filled.verdict],
    operation,
    method: operation.method,
    target: credentials.targetOf(filled.target),
    headers: [...credentials.headers, ...filled.headers],
    body: filled.body,
    isAnsweredByOperation: true,
    statuses: statusesFor(filled, operation),
    because: reasonFor(filled),
    isForHandler: filled.verdict !== 'invalid',
  });
  /** The usual case with `more`, and with a generated part. */
  const changed = <Value>(made: Arbitrary<Value>, change: (filled: Filled, value: Value) => Partial<Case>) =>
    fc.tuple(fitting, made).map(([filled, value]) => ({
      ...usual(filled),
      isForHandler: false,
      ...change(filled, value),
    }));
  const notOfOperation = { isAnsweredByOperation: false, allow: operation.allow };
  const invalid = unfitting.map((filled) => usual(filled));
  const valid = fitting.map((filled) => usual(filled));
  const kinds: Arbitrary<Case>[] = [
    valid,
    valid,
    invalid,
    invalid,
    ...others.map((credentials) => fitting.map((filled) => usual(filled, credentials))),
    changed(undeclaredQueries(operation), (filled, query) => ({
      what: 'an undeclared query parameter',
      target: withQuery(usual(filled).target, query),
      isForHandler: namesAnyQuery(operation),
      because: `the contract declares no query parameter ${decodeURIComponent(query.split('=', 1)[0] ?? '')}`,
      statuses: statusesFor(
        { ...filled, verdict: namesAnyQuery(operation) ? 'either' : 'invalid' },
        operation,
      ),
    })),
    changed(unsupportedMethods(operation), (_, method) => ({
      what: 'a method that the path does not have',
      method,
      statuses: [405],
      because: 'the contract does not describe this method of the path',
      ...notOfOperation,
    })),
    changed(otherPaths(operation), ({ target }, change) => ({
      what: 'a path that is not there',
      target: change(target),
      isAnsweredByOperation: false,
      statuses: [404],
      because: 'the contract has no such path',
    })),
  ];
  if (!operation.describes.includes('options')) {
    kinds.push(
      changed(fc.boolean(), (filled, hasKey) => ({
        what: 'OPTIONS',
        method: 'OPTIONS',
        headers: hasKey ? usual(filled).headers : [],
        statuses: [204],
        because: 'a path that the contract describes responds to OPTIONS (RFC 9110 §9.3.7)',
        ...notOfOperation,
      })),
    );
  }
  if (operation.body?.isOnly) {
    kinds.push(
      changed(malformedBodies(operation), (filled, { headers, body, statuses }) => ({
        what: 'a body that cannot be read',
        body,
        headers: [...usual(filled).headers.filter(([name]) => name !== 'Content-Type'), ...headers],
        statuses: [...(filled.verdict === 'valid' ? [] : [400]), ...statuses].map((status) =>
          status === 400 ? operation.invalidStatus : status,
        ),
        because: 'the body is not of the media type that the contract declares',
      })),
    );
  }
  if (operation.secured) {
    const nobody = { what: 'no key', credentials: { headers: [], targetOf: String } };
    const strangers = operation.alternatives.map((credentials) => {
      return { what: 'an unknown key', credentials: credentials(keys.unknown) };
    });
    kinds.push(
      changed(fc.constantFrom(nobody, ...strangers), (filled, { what, credentials }) => ({
        ...usual(filled, credentials),
        what,
        statuses: [401],
        because: 'the contract requires a key',
        isForHandler: false,
      })),
    );
  }
  if (operation.method === 'GET' && !operation.describes.includes('head')) {
    const head = ({ what, ...asked }: Case): Case => ({ ...asked, what: `HEAD of ${what}`, method: 'HEAD' });
    kinds.push(fc.oneof(valid, invalid).map(head));
  }
  const noise = fc.option(fc.constantFrom(...NOISE), { nil: undefined, freq: 3 });
  return {
    all: fc
      .tuple(fc.oneof(SIMPLEST_FIRST, ...kinds), noise)
      .map(([request, header]) => withinLimits(withNoise(request, header))),
    sample: sample && withinLimits(usual(sample)),
  };
}

/** `request` with a header that must change nothing, but for the page of another site that cookies would obey. */
function withNoise(request: Case, noise?: Header): Case {
  const { operation } = request;
  const declared = operation.parameters.filter(({ in: place }) => place === 'header');
  const names = [...request.headers.map(([name]) => name), ...declared.map(({ name }) => name)].map((name) =>
    name.toLowerCase(),
  );
  const isOfBody = operation.body !== undefined && noise?.[0] === 'Content-Type';
  const isAdded = noise && !names.includes(noise[0].toLowerCase()) && !isOfBody;
  if (!isAdded) return request;
  const changed = { ...request, headers: [...request.headers, noise] };
  if (noise !== OTHER_SITE || !operation.refusesOtherSites || !request.isAnsweredByOperation) return changed;
  return {
    ...changed,
    what: `${request.what} from a page of another site`,
    statuses: request.isForHandler ? [403] : [...request.statuses, 403],
    because: 'browsers add the cookies of the service to it',
    isForHandler: false,
  };
}

/** Longer heads may be too long for Node.js, in bytes. */
const LONG_HEAD = 15_000;

/** `request` with the statuses that follow from its size. */
function withinLimits(request: Case): Case {
  const { what, operation, target, headers, body = '', statuses } = request;
  const head = [target, ...headers.flat()].join('').length;
  const limit = operation.body?.limit ?? Infinity;
  const size = Buffer.byteLength(body);
  if (head > LONG_HEAD) {
    const because = `its URL and headers have ${head} bytes`;
    return { ...request, statuses: [...statuses, 431], because, allow: undefined };
  }
  if (!request.isAnsweredByOperation || size <= limit) return request;
  return {
    ...request,
    statuses: what === DESCRIBED.valid ? [413] : [...statuses, 413],
    because: `its body has ${size} bytes, and may have ${limit}, unless x-body-limit is set`,
    isForHandler: false,
  };
}

const DESCRIBED: Readonly<Record<Verdict, string>> = {
  valid: 'a valid request',
  invalid: 'an invalid request',
  either: 'an unusual request',
};

const reasonFor = ({ verdict, invalid }: Filled): string =>
  verdict === 'valid'
    ? 'every parameter and the body satisfy the contract, so the handler is called'
    : verdict === 'invalid'
      ? `${invalid.join(' and ')} ${invalid.length > 1 ? 'do' : 'does'} not satisfy the contract`
      : 'the contract leaves open whether it is valid';

/** The statuses of well-formed requests, or those of malformed ones. */
function statusesFor(
  { verdict, body }: Filled,
  { statuses, body: declared, invalidStatus }: Operation,
): number[] {
  // A missing body has no media type.
  if (verdict === 'invalid')
    return declared?.required && body === undefined ? [invalidStatus, 415] : [invalidStatus];
  const not = verdict === 'valid' ? [400, 401, 405, 413, 415, 422, 429] : [401, 405, 413, 429];
  return statuses.filter((status) => status < 500 && !not.includes(status));
}

const withQuery = (target: string, query: string) => `${target}${target.includes('?') ? '&' : '?'}${query}`;
