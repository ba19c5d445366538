import http from 'node:http';
import fc, { type Arbitrary } from 'fast-check';
import type { Header, Operation } from './operations.ts';
import { isScalarOrList } from './texts.ts';
import { CHARACTER } from './values.ts';

/* What requests are changed by. */

/** As browsers send it for a page of another site. */
export const OTHER_SITE: Header = ['Origin', 'https://elsewhere.example'];

/** Headers that must not change the response: overrides of method, address or format. */
export const NOISE: readonly Header[] = [
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
  OTHER_SITE,
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

export const malformedBodies = ({ method }: Operation) =>
  fc.oneof(
    fc
      .constantFrom(
        ...['{', '{"a":}', "{'a':1}", 'NaN', '[1,]', '{"a":1}{"b":2}', '\0'],
        Buffer.from('"\xff"', 'latin1'),
        '{"name":"","children":['.repeat(4_000),
      )
      .map((body) => ({ body, headers: [JSON_TYPE], statuses: [400] })),
    fc.constant({ body: JSON.stringify('a'.repeat(100_000)), headers: [JSON_TYPE], statuses: [400] }),
    fc
      .constantFrom<Header[]>(
        ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/jsonp'].map(
          (type): Header[] => [['Content-Type', type]],
        ),
        [JSON_TYPE, ['Content-Encoding', 'gzip']],
        [],
      )
      // RFC 10008 §2.1.
      .map((headers) => ({
        ...{ body: '{}', headers },
        statuses: [method === 'QUERY' && headers.length === 0 ? 400 : 415],
      })),
  );

/** Whether the fields of an object are query parameters, so that any name may be one. */
export const namesAnyQuery = ({ parameters }: Operation) =>
  parameters.some((parameter) => parameter.in === 'query' && !isScalarOrList(parameter));

/** Includes names that frameworks treat specially. */
const NAMES = 'page limit status _method __proto__ constructor hasOwnProperty a[b] a[]'.split(' ');

export function undeclaredQueries({ parameters }: Operation): Arbitrary<string> {
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
export function unsupportedMethods({ allow }: Operation): Arbitrary<string> {
  return fc.constantFrom(...http.METHODS.filter((method) => method !== 'CONNECT' && !allow.includes(method)));
}

/** Targets that match no path of the contract. */
export function otherPaths({ allPaths, basePath }: Operation): Arbitrary<(target: string) => string> {
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
