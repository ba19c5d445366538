import {
  cookieTexts,
  cookieWithKey,
  credentialOf,
  keyIn,
  keyText,
  urlWithKey,
  type SecurityScheme,
} from '../../src/http/index.ts';

/** The key of a request that carries it by a scheme, and how. */
const bearer = ['Authorization', 'Bearer a:b+c='] as const;
test.each<[scheme: SecurityScheme, name: string, text: string]>([
  [{ type: 'http', scheme: 'bearer' }, ...bearer],
  [{ type: 'http', scheme: 'Bearer' }, ...bearer],
  [{ type: 'oauth2' }, ...bearer],
  [{ type: 'openIdConnect' }, ...bearer],
  [{ type: 'http', scheme: 'basic' }, 'Authorization', `Basic ${btoa(':a:b+c=')}`],
  [{ type: 'apiKey', in: 'header', name: 'X-Key' }, 'X-Key', 'a:b+c='],
  [{ type: 'apiKey', in: 'header', name: 'Authorization' }, 'Authorization', 'a:b+c='],
])('%j carries a key in %s, as %s', (scheme, name, text) => {
  const credential = credentialOf(scheme);
  expect(credential).toMatchObject({ in: 'header', name });
  expect(keyText(credential?.prefix ?? '-', 'a:b+c=')).toBe(text);
  expect(credential && keyIn(credential, text)).toBe('a:b+c=');
});

test.each([
  ['/v1', '/v1?a%26b=c%20d%2B'],
  ['/v1?x=1', '/v1?x=1&a%26b=c%20d%2B'],
])('a key in the query of %s makes it %s', (url, whole) => {
  const { name = '', ...credential } = credentialOf({ type: 'apiKey', in: 'query', name: 'a&b' }) ?? {};
  expect(credential).toEqual({ in: 'query', prefix: '' });
  expect(urlWithKey(url, name, 'c d+')).toBe(whole);
  expect(new URL(whole, 'http://a').searchParams.get('a&b')).toBe('c d+');
});

test('a key in a cookie is encoded, and one of its name', () => {
  const { name = '', ...credential } = credentialOf({ type: 'apiKey', in: 'cookie', name: 'sid' }) ?? {};
  expect(credential).toEqual({ in: 'cookie', prefix: '' });
  expect(cookieWithKey(name, 'a;b')).toBe('sid=a%3Bb');
  expect(cookieTexts(`xsid=1; ${cookieWithKey(name, 'a;b')}; SID=2`, name)).toEqual(['a%3Bb']);
});

test.each<SecurityScheme>([{ type: 'http', scheme: 'digest' }, { type: 'mutualTLS' }])(
  '%j carries no key that the kit can check',
  (scheme) => {
    expect(credentialOf(scheme)).toBeUndefined();
  },
);

test.each<[prefix: 'Bearer' | 'Basic' | '', name: string, text: string, key: string | undefined]>([
  ['Bearer', 'Authorization', 'bearer  a', 'a'],
  ['Bearer', 'Authorization', 'Basic a', undefined],
  ['Bearer', 'Authorization', 'a', undefined],
  ['Basic', 'Authorization', `BASIC ${btoa('user:a:b')}`, 'a:b'],
  ['Basic', 'Authorization', 'Basic a.b', undefined],
  ['Basic', 'Authorization', 'Basic a', ''],
  ['', 'authorization', 'ApiKey a', 'a'],
  ['', 'X-Key', 'ApiKey a', 'ApiKey a'],
])('with the prefix %j, %s of %j has the key %j', (prefix, name, text, key) => {
  expect(keyIn({ prefix, name }, text)).toBe(key);
});
