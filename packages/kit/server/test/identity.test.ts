import { InvalidToken, secret, type Authenticate, type SharedServices } from '../src/index.ts';
import { library } from './library/library.ts';
import { shared } from '@contract-kit/test-support/testing';
import { createTestTools } from './support/tools.ts';

/* Holders of tokens that an app knows by `authenticate`. */

const ADA = { id: 'user:ada', owner: 'shop-1', plan: 'pro', claims: { tenant: 'blue' } };

interface Keyed {
  settings: { TOKEN_KEY: string };
}

/** How often `authenticate` was asked, and what it waits for. */
let asked = 0;
let gate = Promise.resolve();

const authenticate: Authenticate = async (token, { header }) => {
  asked += 1;
  await gate;
  if (token === 'down') throw new Error('the issuer is down');
  if (token === 'expired') throw new InvalidToken('The token "expired" yesterday.');
  if (token === 'host') return { ...ADA, id: `user:${header('X-Tenant')}` };
  return token === 'ada' ? ADA : undefined;
};

let caller: unknown;
const { startTestService } = createTestTools({ ...library, authenticate });
const service = shared(() =>
  startTestService({
    handlers: {
      listLoans: (input: { caller: unknown }) => {
        caller = input.caller;
        return { status: 200, body: [] };
      },
    },
  }),
);
beforeEach(() => {
  asked = 0;
  gate = Promise.resolve();
});

function closeGate(): () => void {
  let open = (): void => undefined;
  gate = new Promise((resolve) => (open = resolve));
  return () => open();
}
/** Requests that are sent later get their responses, so the earlier ones have arrived. */
async function waitUnderway(): Promise<void> {
  const key = await service.unlimitedKey();
  for (let times = 0; times < 5; times += 1) expect((await list(key)).status).toBe(200);
}

const list = (key: string, headers: Record<string, string> = {}) =>
  service.request('/v1/loans', { key, headers });

test('a handler gets the owner of a key, which a new key of the same owner has too', async () => {
  const keyOf = async (owner?: string) => {
    const now = new Date();
    const wanted = { name: 'till', plan: 'pro', now, ...(owner !== undefined && { owner }) };
    return createTestTools(library).createKey(service.store.keys, wanted);
  };
  const [first, second, own] = [await keyOf('shop-1'), await keyOf('shop-1'), await keyOf()];
  for (const [{ id, key }, owner] of [
    [first, 'shop-1'],
    [second, 'shop-1'],
    [own, own.id],
  ] as const) {
    expect((await list(key)).status).toBe(200);
    expect(caller).toMatchObject({ id, owner });
  }
});

test('a handler gets the claims that authenticate returns', async () => {
  expect((await list('ada')).status).toBe(200);
  expect(caller).toMatchObject({ id: 'user:ada', owner: 'shop-1', claims: { tenant: 'blue' } });
});

test('authenticate has the services, such as a setting and the stores', async () => {
  const own = {
    settings: { TOKEN_KEY: secret() },
    authenticate: (token: string, _request: unknown, services: SharedServices<Keyed>) =>
      token === services.settings.TOKEN_KEY && 'loans' in services.stores ? ADA : undefined,
  };
  const keyed = await createTestTools({ ...library, ...own }).startTestService({
    settings: { TOKEN_KEY: 'only-a-test' },
  });
  const statusOf = async (key: string) => (await keyed.request('/v1/loans', { key })).status;
  expect([await statusOf('only-a-test'), await statusOf('another')]).toEqual([200, 401]);
});

test('a 401 says why a token is not valid (RFC 6750 §3)', async () => {
  const expired = await list('expired');
  expect(expired.status).toBe(401);
  expect(expired.headers.get('www-authenticate')).toMatch(
    /^Bearer realm="library", error="invalid_token", error_description="The token expired yesterday."/,
  );
  expect(await expired.json()).toMatchObject({ message: 'The token "expired" yesterday.' });
  expect(await (await list('eve')).json()).toMatchObject({
    message: 'The API key is invalid: unknown or revoked.',
  });
});

test('a token that cannot be checked gets 503, never 401, and the log says why', async () => {
  const response = await list('down');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(response.headers.has('www-authenticate')).toBe(false);
  const [line] = service.logged.filter(({ msg }) => msg === 'service_unavailable');
  expect(JSON.stringify(line)).toContain('the issuer is down');
  // Its own keys do not depend on it.
  expect((await list(await service.unlimitedKey())).status).toBe(200);
});

test('an issuer that does not respond within 5 seconds is one that fails', async () => {
  const open = closeGate();
  expect((await list('ada')).status).toBe(503);
  open();
}, 15_000);

test.each([
  ['ada', 200],
  ['eve', 401],
  ['down', 503],
])('requests with the token %s at the same time ask once, and all get %i', async (token, status) => {
  const open = closeGate();
  const responses = Array.from({ length: 20 }, () => list(token));
  await waitUnderway();
  expect(asked).toBe(1);
  open();
  expect(new Set((await Promise.all(responses)).map((response) => response.status))).toEqual(
    new Set([status]),
  );
  expect(asked).toBe(1);
  await list(token);
  expect(asked).toBe(2);
});

test('requests that differ in a header that was read have their own holders', async () => {
  const open = closeGate();
  const callers = ['blue', 'red', 'blue'].map((tenant) => list('host', { 'x-tenant': tenant }));
  await waitUnderway();
  open();
  const ids = (await Promise.all(callers)).map((response) => response.headers.get('x-request-id'));
  expect(ids).toHaveLength(3);
  expect(asked).toBe(2);
  const known = service.logged.filter(({ requestId }) => ids.includes(String(requestId)));
  expect(known.map(({ keyId }) => keyId).sort()).toEqual(['user:blue', 'user:blue', 'user:red']);
});
