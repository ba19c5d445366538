import http from 'node:http';
import fc, { type Arbitrary } from 'fast-check';
import { apiKeyFormat } from '../../keys/api-key.ts';
import type { RawRequest } from '../raw.ts';
import { inputsOf, type Filled } from './inputs.ts';
import type { Header, Operation } from './operations.ts';
import { isPlain, type Verdict } from './texts.ts';
import { CHARACTER, SIMPLEST_FIRST } from './values.ts';

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
  /** Whether the handler is called, and may choose another status. */
  readonly isForHandler: boolean;
  /** The required `Allow` header. */
  readonly allow?: readonly string[] | undefined;
}

/** Every kind of request that concerns `operation`. */
export function casesOf(operation: Operation, keys: Keys): Arbitrary<Case> {
  const { fitting, unfitting = fitting } = inputsOf(operation);
  // An open operation is tested with a key too.
  const [first = { headers: [['Authorization', `Bearer ${keys.usual}`] as const], query: [] }, ...others] =
    operation.alternatives.map((credentials) => credentials(keys.usual));
  const usual = (filled: Filled, credentials = first): Case => ({
    what: DESCRIBED[filled.verdict],
    operation,
    method: operation.method,
    target: credentials.query.reduce(withQuery, filled.target),
    headers: [...credentials.headers, ...filled.headers],
    body: filled.body,
    isAnsweredByOperation: true,
    statuses: statusesFor(filled, operation),
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
      statuses: statusesFor(
        { ...filled, verdict: namesAnyQuery(operation) ? 'either' : 'invalid' },
        operation,
      ),
    })),
    changed(unsupportedMethods(operation), (_, method) => ({
      what: 'a method that the path does not have',
      method,
      statuses: [405],
      ...notOfOperation,
    })),
    changed(otherPaths(operation), ({ target }, change) => ({
      what: 'a path that is not there',
      target: change(target),
      isAnsweredByOperation: false,
      statuses: [404],
    })),
  ];
  if (!operation.describes.includes('options')) {
    kinds.push(
      changed(fc.boolean(), (filled, hasKey) => ({
        what: 'OPTIONS',
        method: 'OPTIONS',
        headers: hasKey ? usual(filled).headers : [],
        statuses: [204],
        ...notOfOperation,
      })),
    );
  }
  if (operation.body?.isOnly) {
    kinds.push(
      changed(malformedBodies, (filled, { headers, body, statuses }) => ({
        what: 'a body that cannot be read',
        body,
        headers: [...usual(filled).headers.filter(([name]) => name !== 'Content-Type'), ...headers],
        statuses: [...(filled.verdict === 'valid' ? [] : [400]), ...statuses].map((status) =>
          status === 400 ? operation.invalidStatus : status,
        ),
      })),
    );
  }
  if (operation.secured) {
    const nobody = { what: 'no key', credentials: { headers: [], query: [] } };
    const strangers = operation.alternatives.map((credentials) => {
      return { what: 'an unknown key', credentials: credentials(keys.unknown) };
    });
    kinds.push(
      changed(fc.constantFrom(nobody, ...strangers), (filled, { what, credentials }) => ({
        ...usual(filled, credentials),
        what,
        statuses: [401],
        isForHandler: false,
      })),
    );
  }
  if (operation.method === 'GET' && !operation.describes.includes('head')) {
    const head = ({ what, ...asked }: Case): Case => ({ ...asked, what: `HEAD of ${what}`, method: 'HEAD' });
    kinds.push(fc.oneof(valid, invalid).map(head));
  }
  const noise = fc.option(fc.constantFrom(...NOISE), { nil: undefined, freq: 3 });
  return fc
    .tuple(fc.oneof(SIMPLEST_FIRST, ...kinds), noise)
    .map(([request, header]) => shown(request, header));
}

/** `request` with a header that must change nothing, with a wire form for reports. */
function shown(request: Case, noise?: Header): Case {
  const { what, operation, method, target, body = '' } = request;
  const declared = operation.parameters.filter(({ in: place }) => place === 'header');
  const names = [...request.headers.map(([name]) => name), ...declared.map(({ name }) => name)].map((name) =>
    name.toLowerCase(),
  );
  const isOfBody = operation.body !== undefined && noise?.[0] === 'Content-Type';
  const isAdded = noise && !names.includes(noise[0].toLowerCase()) && !isOfBody;
  const headers = isAdded ? [...request.headers, noise] : request.headers;
  const text = [`${what}: ${method} ${target}`, ...headers.map((header) => header.join(': ')), body].join(
    '\n  ',
  );
  return { ...request, headers, [fc.toStringMethod]: () => text.trimEnd() } as Case;
}

const DESCRIBED: Readonly<Record<Verdict, string>> = {
  valid: 'a valid request',
  invalid: 'an invalid request',
  either: 'an unusual request',
};

/** The statuses of well-formed requests, or those of malformed ones. */
function statusesFor(
  { verdict, body }: Filled,
  { statuses, body: declared, invalidStatus }: Operation,
): number[] {
  // A missing body has no media type.
  if (verdict === 'invalid')
    return declared?.required && body === undefined ? [invalidStatus, 415] : [invalidStatus];
  const not = verdict === 'valid' ? [400, 401, 405, 415, 422, 429] : [401, 405, 429];
  return statuses.filter((status) => status < 500 && !not.includes(status));
}

const withQuery = (target: string, query: string) => `${target}${target.includes('?') ? '&' : '?'}${query}`;

/** Headers that must not change the response: overrides of method, address or format. */
const NOISE: readonly Header[] = [
  ['Accept', 'text/html'],
  ['Accept', 'application/xml;q=1, */*;q=0'],
  ['Accept-Encoding', 'gzip, br'],
  ['Content-Type', 'text/plain; charset=utf-7'],
  ['Content-Type', 'multipart/form-data'],
  ['Cookie', 'a=b; other=1'],
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

// Media types are case-insensitive (RFC 9110 §8.3.1).
const JSON_TYPE: Header = ['Content-Type', 'Application/JSON; charset=utf-8'];

const malformedBodies = fc.oneof(
  fc
    .constantFrom(
      ...['{', '{"a":}', "{'a':1}", 'NaN', '[1,]', '{"a":1}{"b":2}', '\0'],
      Buffer.from('"\xff"', 'latin1'),
      '{"name":"","children":['.repeat(4_000),
    )
    .map((body) => ({ body, headers: [JSON_TYPE], statuses: [400] })),
  fc.constant({ body: JSON.stringify('a'.repeat(100_000)), headers: [JSON_TYPE], statuses: [400, 413] }),
  fc
    .constantFrom<Header[]>(
      ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/jsonp'].map(
        (type): Header[] => [['Content-Type', type]],
      ),
      [JSON_TYPE, ['Content-Encoding', 'gzip']],
      [],
    )
    .map((headers) => ({ body: '{}', headers, statuses: [415] })),
);

/** Whether the fields of an object are query parameters, so that any name may be one. */
const namesAnyQuery = ({ parameters }: Operation) =>
  parameters.some((parameter) => parameter.in === 'query' && !isPlain(parameter));

/** Includes names that frameworks treat specially. */
const NAMES = 'page limit status _method __proto__ constructor hasOwnProperty a[b] a[]'.split(' ');

function undeclaredQueries({ parameters }: Operation): Arbitrary<string> {
  const declared = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
  const binary = (minLength: number) => fc.string({ minLength, maxLength: 8, unit: CHARACTER });
  return fc
    .tuple(fc.oneof(fc.constantFrom(...NAMES), binary(1)), fc.option(binary(0), { nil: undefined }))
    .map(([name, value]) => {
      const undeclared = encodeURIComponent(declared.includes(name) ? `${name}_` : name);
      return value === undefined ? undeclared : `${undeclared}=${encodeURIComponent(value)}`;
    });
}

/** Every method that Node parses, except CONNECT, which has no path. */
function unsupportedMethods({ allow }: Operation): Arbitrary<string> {
  return fc.constantFrom(...http.METHODS.filter((method) => method !== 'CONNECT' && !allow.includes(method)));
}

/** Targets that match no path of the contract. */
function otherPaths({ allPaths, basePath }: Operation): Arbitrary<(target: string) => string> {
  const templates = allPaths.map((path) => path.replace(/[.*+?^$()|[\]\\]/g, '\\$&'));
  const there = new RegExp(`^(?:${templates.join('|').replace(/\{[^}]+\}/g, '[^/]+')})$`);
  const segments = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme-ascii' });
  const change: Arbitrary<(path: string) => string> = fc.oneof(
    fc.constantFrom(
      ...['/', '//', '/.'].map((end) => (path: string) => path + end),
      ...['/', '/.', basePath].map((more) => (path: string) => path.replace(basePath, basePath + more)),
      (path: string) => path.replace(/\/([a-z])/g, (_, letter: string) => `/${letter.toUpperCase()}`),
      (path: string) => path.replace(/(?<=.)\/(?=[^/]*$)/, '%2F'),
      (path: string) => path.slice(0, path.lastIndexOf('/')),
    ),
    segments.map((segment) => (path: string) => `${path}/${encodeURIComponent(segment)}`),
    segments.map((segment) => (path: string) => path.replace(/[^/]*$/, encodeURIComponent(`${segment}/x`))),
  );
  // Deeper than any path.
  const nothing = basePath + '/%20nothing'.repeat(Math.max(...allPaths.map((path) => path.length)));
  return change.map((changed) => (target: string) => {
    const path = changed(target.split('?', 1)[0] ?? '');
    return there.test(path) || !path.startsWith(`${basePath}/`) ? nothing : path;
  });
}
