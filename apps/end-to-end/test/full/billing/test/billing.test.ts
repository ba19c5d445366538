import { randomUUID } from 'node:crypto';
import { describeWith } from '@contract-kit/local-stack';
import { shared, startPostgres, stopAtEnd } from '@contract-kit/local-stack/testing';
import { startTestService } from '@contract-kit/server/testing';
import { service } from '../src/service.ts';

const settings = { LOGIN_KEY: 'only a test', WEBHOOK_URL: 'http://127.0.0.1:9' };

/** The service with the user Ada of the tenants `north` and `south`, who is logged in. */
async function start(env: Record<string, string> = {}) {
  const { store, request, clock, stop } = await startTestService(service, { env, settings });
  stopAtEnd('service', stop);
  await store.features.users.put({ name: 'ada', tenants: ['north', 'south'] }, 'a password');
  const login = (password: string) =>
    request('/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'ada', password }),
    });
  const { token } = (await (await login('a password')).json()) as { token: string };

  function ask(method: string, target: string, body?: object, headers: Record<string, string> = {}) {
    const isForm = body instanceof FormData;
    const type: Record<string, string> = isForm ? {} : { 'content-type': 'application/json' };
    return request(`/v1${target}`, {
      method,
      key: token,
      headers: { 'x-tenant': 'north', ...type, ...headers },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
  }
  const pay = (invoiceId: string, key = randomUUID()) =>
    ask('POST', '/payments', { invoiceId }, { 'idempotency-key': key });
  const newInvoice = async () => {
    const response = await ask('POST', '/invoices', { customer: 'Eve', cents: 1_250 });
    return (await response.json()) as { id: string };
  };
  return { store, request, clock, login, ask, pay, newInvoice };
}

function describeBilling(database: string, env: () => Promise<Record<string, string>>): void {
  describe(`with ${database}`, () => {
    test('an invoice is paid once, and a repeat gets the same payment', async () => {
      const { ask, pay, newInvoice } = await start(await env());
      const { id } = await newInvoice();
      const key = randomUUID();
      const [first, repeated, another] = [await pay(id, key), await pay(id, key), await pay(id)];
      expect([first.status, repeated.status, another.status]).toEqual([201, 201, 409]);
      expect(await repeated.json()).toEqual(await first.json());
      expect(await (await ask('GET', '/invoices?status=paid')).json()).toMatchObject([{ id, cents: 1_250 }]);
    });

    test('a user sees the invoices of the own tenants only', async () => {
      const { ask, newInvoice } = await start(await env());
      const { id } = await newInvoice();
      const as = async (tenant: string) =>
        (await ask('GET', `/invoices/${id}`, undefined, { 'x-tenant': tenant })).status;
      expect([await as('north'), await as('south'), await as('west')]).toEqual([200, 404, 403]);
    });

    test('a receipt is kept as it was sent', async () => {
      const { ask, newInvoice } = await start(await env());
      const { id } = await newInvoice();
      const form = new FormData();
      const bytes = new Uint8Array([37, 80, 68, 70, 0, 255]);
      form.set('file', new File([bytes], 'receipt.pdf', { type: 'application/pdf' }));
      expect((await ask('GET', `/invoices/${id}/receipt`)).status).toBe(404);
      expect((await ask('PUT', `/invoices/${id}/receipt`, form)).status).toBe(204);
      const receipt = await ask('GET', `/invoices/${id}/receipt`);
      expect(receipt.headers.get('content-disposition')).toContain(`${id}.pdf`);
      expect(new Uint8Array(await receipt.arrayBuffer())).toEqual(bytes);
    });

    test('an unpaid invoice is overdue after its term', async () => {
      const { ask, clock, newInvoice, store } = await start(await env());
      await newInvoice();
      clock.advance(15 * 24 * 60 * 60_000);
      expect(await store.features.invoices.markOverdue(new Date(clock()))).toBe(1);
      const expired = await ask('GET', '/invoices');
      expect([expired.status, await expired.json()]).toEqual([
        401,
        expect.objectContaining({ message: 'The token has expired.' }),
      ]);
    });
  });
}

describeBilling('SQLite', () => Promise.resolve({}));

describeWith(['PostgreSQL'], 'PostgreSQL', () => {
  const postgres = shared(startPostgres);
  describeBilling('PostgreSQL', async () => ({ DATABASE_URL: await postgres.createDatabase() }));
});

test('a wrong password gets no token', async () => {
  expect((await (await start()).login('guess')).status).toBe(401);
});
