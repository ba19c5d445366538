import { askRaw } from '../src/testing/raw.ts';
import { sharedService, generateApiKey, expectError } from './library/service.ts';

const service = sharedService();

// All windows end within a day.
afterEach(() => service.clock.advance(24 * 60 * 60_000));

const list = (authorization?: string) =>
  service.request('/v1/loans', authorization === undefined ? {} : { headers: { authorization } });

const MISSING = 'Bearer realm="library"';
const INVALID = 'Bearer realm="library", error="invalid_token"';

test('a valid key is accepted, with the scheme in any case', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer  ']) {
    expect((await list(`${scheme} ${service.suiteKey}`)).status).toBe(200);
  }
});

async function expectUnauthorized(authorization: string | undefined, challenge: string): Promise<void> {
  const response = await list(authorization);
  expect([authorization, response.headers.get('www-authenticate')]).toEqual([authorization, challenge]);
  await expectError(response, 'unauthorized');
}

test('without a token the challenge names the scheme and no error', async () => {
  for (const authorization of [undefined, '', 'Bearer', 'Bearer ', service.suiteKey])
    await expectUnauthorized(authorization, MISSING);
});

test('a key under another scheme is not accepted, even if its name contains bearer', async () => {
  const key = service.suiteKey;
  const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  for (const scheme of ['Basic bearer ', 'xbearerx ', 'xBearer ', 'Bearerx ', 'Bearer', 'Bearer\t', 'Token '])
    await expectUnauthorized(scheme + key, MISSING);
  for (const authorization of ['Basic bearer', basic]) await expectUnauthorized(authorization, MISSING);
});

test('a key elsewhere is not accepted', async () => {
  const bearer = `Bearer ${service.suiteKey}`;
  const headers = ['X-API-Key', 'Proxy-Authorization', 'X-Authorization'].map((name) => ({ [name]: bearer }));
  for (const sent of [...headers, { cookie: `Authorization=${bearer}` }])
    await expectError(await service.request('/v1/loans', { headers: sent }), 'unauthorized');
  for (const name of ['access_token', 'api_key', 'authorization'])
    expect((await service.request(`/v1/loans?${name}=${service.suiteKey}`)).status).toBe(401);
});

test('an unknown token is invalid_token', async () => {
  const key = service.suiteKey;
  const almost = [key.slice(0, -1), key.slice(1), `${key}0`, key.toUpperCase(), `"${key}"`];
  const two = [`${key}, Bearer ${key}`, `${key} ${key}`];
  for (const token of [generateApiKey(), ...almost, ...two, 'lib_', 'null', '*', "' OR 1=1 --"])
    await expectUnauthorized(`Bearer ${token}`, INVALID);
});

test('two Authorization headers are ambiguous, so the request is malformed', async () => {
  const valid = ['Authorization', `Bearer ${service.suiteKey}`] as const;
  const unknown = ['authorization', `Bearer ${generateApiKey()}`] as const;
  const request = { method: 'DELETE', target: '/v1/loans/1' };
  for (const headers of [
    [valid, valid],
    [valid, unknown],
    [unknown, valid],
  ])
    await expectError(await askRaw(service.origin, { ...request, headers }), 'invalid_request');
});

test('a request without a key changes nothing, and does not reveal whether a loan exists', async () => {
  await service.addLoans([{ id: 1 }]);
  for (const id of ['1', '11', 'abc']) await expectError(await service.cancel(id), 'unauthorized');
  await expectError(await service.list(), 'unauthorized');
  expect(await service.cancelled()).toEqual([]);
});

test('Authorization headers of mostly spaces take little time', async () => {
  const before = process.cpuUsage();
  for (let index = 0; index < 5; index += 1) {
    await expectError(await list(`Bearer a${' '.repeat(15_000)}b`), 'unauthorized');
  }
  // CPU time, which other processes do not change.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(600);
});
