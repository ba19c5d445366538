import http from 'node:http';
import { basePath } from '@petstore/contract';
import fc, { type Arbitrary } from 'fast-check';
import type { JsonObject } from '@petstore/contract/json-pointer';
import { bodies, parametersOf, type Filled } from './inputs.ts';
import type { Operation } from './operations.ts';
import { impostors, NOBODY, type Header, type Impostor } from './credentials.ts';
import { encodings, type Verdict } from './texts.ts';
import { SIMPLEST_FIRST } from './values.ts';

/** A request, and what the contract says that its answer must be. */
export interface Case {
  readonly what: string;
  readonly operation: Operation;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: string | undefined;
  /** Whether the answer is the operation's, or one that belongs to no operation, such as 405. */
  readonly answeredBy: 'operation' | 'nobody';
  readonly statuses: readonly number[];
  /** It must show this `Allow`. */
  readonly allow?: readonly string[] | undefined;
  /** It must have the headers of the answer to this method. */
  readonly like?: 'GET';
}

/** Headers that must not change what is answered: overrides of the method, the address or the form of the reply. */
const NOISE: readonly Header[] = [
  ['Accept', 'text/html'],
  ['Accept', 'application/xml;q=1, */*;q=0'],
  ['Accept-Encoding', 'gzip, br'],
  ['Content-Type', 'text/plain; charset=utf-7'],
  ['Content-Type', 'multipart/form-data'],
  ['Cookie', 'a=b; session=1'],
  ['Forwarded', 'for=127.0.0.1;proto=https'],
  ['If-Match', '"none"'],
  ['If-Modified-Since', 'Sat, 21 Nov 2099 12:00:00 GMT'],
  ['If-None-Match', '*'],
  ['Origin', 'https://elsewhere.example'],
  ['Range', 'bytes=0-1'],
  ['X-Forwarded-For', '10.0.0.1, unknown, ::1'],
  ['X-Forwarded-Prefix', '/v2'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Original-URL', '/healthz'],
  ['X-Request-Id', 'a b\t"c'],
  ['X-Request-Id', 'a'.repeat(500)],
];

/** Every kind of request that concerns `operation`. */
export function casesOf(
  operation: Operation,
  operations: readonly Operation[],
  document: JsonObject,
): Arbitrary<Case> {
  const inputs = parametersOf(operation, document);
  const kinds: Arbitrary<Case>[] = [
    inputs.fitting.map((filled) => caseOf(operation, filled)),
    inputs.fitting.map((filled) => caseOf(operation, filled)),
    fc
      .tuple(inputs.fitting, inputs.undeclaredQueries)
      .map(([filled, query]) => withUndeclaredQuery(operation, filled, query)),
    fc.tuple(inputs.fitting, unsupportedMethods(operation)).map(([filled, method]) => ({
      ...caseOf(operation, filled),
      what: 'a method that the path does not have',
      method,
      answeredBy: 'nobody',
      statuses: [405],
      allow: operation.allow,
    })),
    fc.tuple(inputs.fitting, fc.boolean()).map(([filled, withKey]) => ({
      ...caseOf(operation, filled),
      what: 'OPTIONS',
      method: 'OPTIONS',
      headers: withKey ? operation.keyHeaders : [],
      answeredBy: 'nobody',
      statuses: [204],
      allow: operation.allow,
    })),
    fc.tuple(inputs.fitting, otherPaths(operations)).map(([filled, change]) => {
      const usual = caseOf(operation, filled);
      return {
        ...usual,
        what: 'a path that is not there',
        target: change(usual.target),
        answeredBy: 'nobody',
        statuses: [404],
      };
    }),
  ];
  if (inputs.unfitting) {
    kinds.push(inputs.unfitting.map((filled) => caseOf(operation, filled)));
    kinds.push(inputs.unfitting.map((filled) => caseOf(operation, filled)));
  }
  if (inputs.malformedPaths) {
    kinds.push(
      inputs.malformedPaths.map((filled) => ({ ...caseOf(operation, filled), what: 'a malformed path' })),
    );
  }
  if (operation.body) {
    kinds.push(
      fc.tuple(inputs.fitting, bodies.malformed).map(([filled, { body, headers, status, what }]) => ({
        ...caseOf(operation, filled),
        what,
        body,
        headers: [...operation.keyHeaders, ...headers],
        statuses: filled.verdict === 'valid' ? [status] : [400, status],
      })),
    );
  }
  if (operation.secured) {
    kinds.push(
      fc
        .tuple(inputs.fitting, operation.wantsBearer ? impostors : fc.constant(NOBODY))
        .map(([filled, who]) => withImpostor(operation, filled, who)),
    );
  }
  if (operation.method === 'GET') {
    kinds.push(
      fc.oneof(inputs.fitting, inputs.unfitting ?? inputs.fitting).map((filled) => ({
        ...caseOf(operation, filled),
        what: `HEAD of ${describe(filled.verdict)}`,
        method: 'HEAD',
        like: 'GET',
      })),
    );
  }
  return fc
    .tuple(
      fc.oneof(SIMPLEST_FIRST, ...kinds),
      fc.option(fc.constantFrom(...NOISE), { nil: undefined, freq: 3 }),
    )
    .map(([request, noise]) => (noise ? withNoise(request, noise) : request));
}

function caseOf(operation: Operation, filled: Filled): Case {
  return {
    what: describe(filled.verdict),
    operation,
    method: operation.method,
    target: filled.target,
    headers: [...operation.keyHeaders, ...filled.headers],
    body: filled.body,
    answeredBy: 'operation',
    statuses: statusesFor(filled, operation),
  };
}

function describe(verdict: Verdict): string {
  return { valid: 'a valid request', invalid: 'an invalid request', either: 'an unusual request' }[verdict];
}

/** The statuses that say: it was well-formed, whatever came of it; or that it was not. */
function statusesFor({ verdict, body }: Filled, { statuses, body: declared }: Operation): number[] {
  // A body that is missing has no media type either.
  if (verdict === 'invalid') return declared?.required && body === undefined ? [400, 415] : [400];
  const not = verdict === 'valid' ? [400, 401, 405, 415, 422, 429] : [401, 405, 429];
  return statuses.filter((status) => status < 500 && !not.includes(status));
}

function withUndeclaredQuery(operation: Operation, filled: Filled, query: string): Case {
  const separator = filled.target.includes('?') ? '&' : '?';
  return {
    ...caseOf(operation, filled),
    what: 'an undeclared query parameter',
    target: `${filled.target}${separator}${query}`,
    statuses: statusesFor({ ...filled, verdict: 'invalid' }, operation),
  };
}

function withImpostor(operation: Operation, filled: Filled, who: Impostor): Case {
  const separator = filled.target.includes('?') ? '&' : '?';
  return {
    ...caseOf(operation, filled),
    what: who.what,
    target: who.query ? `${filled.target}${separator}${who.query}` : filled.target,
    headers: [...who.headers, ...filled.headers],
    statuses: who.statuses,
  };
}

/** A header that the request has already is left as it is. */
function withNoise(request: Case, noise: Header): Case {
  const isThere = request.headers.some(([name]) => name.toLowerCase() === noise[0].toLowerCase());
  const isOfBody = request.operation.body !== undefined && noise[0] === 'Content-Type';
  return isThere || isOfBody ? request : { ...request, headers: [...request.headers, noise] };
}

/** Every method that Node can read, but CONNECT, which has no path. */
function unsupportedMethods({ allow }: Operation): Arbitrary<string> {
  return fc.constantFrom(...http.METHODS.filter((method) => method !== 'CONNECT' && !allow.includes(method)));
}

/** Changes of a target that lead to no path of the contract. */
function otherPaths(operations: readonly Operation[]): Arbitrary<(target: string) => string> {
  const segments = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme-ascii' });
  const change: Arbitrary<(path: string) => string> = fc.oneof(
    fc.constantFrom(
      (path: string) => `${path}/`,
      (path: string) => `${path}//`,
      (path: string) => `${path}/.`,
      (path: string) => path.replace(basePath, `${basePath}/`),
      (path: string) => path.replace(basePath, `${basePath}/.`),
      (path: string) => path.replace(basePath, `${basePath}${basePath}`),
      (path: string) => path.replace(/\/([a-z])/g, (_, letter: string) => `/${letter.toUpperCase()}`),
      (path: string) => path.replace(/(?<=.)\/(?=[^/]*$)/, '%2F'),
      (path: string) => path.slice(0, path.lastIndexOf('/')),
    ),
    segments.map((segment) => (path: string) => `${path}/${encodings.usual(segment)}`),
    segments.map((segment) => (path: string) => path.replace(/[^/]*$/, encodings.usual(`${segment}/x`))),
  );
  return change.map((changed) => (target: string) => {
    const path = changed(target.split('?', 1)[0] ?? '');
    const isThere = operations.some((operation) => isAt(path, operation.path));
    return isThere || !path.startsWith(`${basePath}/`) ? `${basePath}/%20nothing` : path;
  });
}

function isAt(path: string, template: string): boolean {
  const actual = path.split('/');
  const wanted = template.split('/');
  return (
    actual.length === wanted.length &&
    wanted.every((segment, index) =>
      segment.startsWith('{') ? actual[index] !== '' : segment === actual[index],
    )
  );
}
