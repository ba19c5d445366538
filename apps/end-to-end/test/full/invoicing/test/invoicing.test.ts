import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { startTestService } from '@contract-kit/server/testing';
import { service } from '../src/service.ts';

const stops: (() => Promise<unknown>)[] = [];
after(() => Promise.all(stops.map((stop) => stop())));

const settings = { LOGIN_KEY: 'only a test', WEBHOOK_URL: 'http://127.0.0.1:9' };

interface Invoice {
  readonly id: string;
  readonly cents: number;
}

/** The service with the user Ada of the tenants `north` and `south`, who is logged in. */
async function start(env: Record<string, string> = {}) {
  const { store, request, clock, stop } = await startTestService(service, { env, settings });
  stops.push(stop);
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
    return (await response.json()) as Invoice;
  };
  return { store, request, clock, login, ask, pay, newInvoice };
}

function describeBilling(database: string, env: Record<string, string>): void {
  describe(`with ${database}`, () => {
    test('an invoice is paid once, and a repeat gets the same payment', async () => {
      const { ask, pay, newInvoice } = await start(env);
      const { id } = await newInvoice();
      const key = randomUUID();
      const [first, repeated, another] = [await pay(id, key), await pay(id, key), await pay(id)];
      assert.deepEqual([first.status, repeated.status, another.status], [201, 201, 409]);
      assert.deepEqual(await repeated.json(), await first.json());
      const paid = (await (await ask('GET', '/invoices?status=paid')).json()) as Invoice[];
      assert.deepEqual(
        paid.map(({ id, cents }) => [id, cents]),
        [[id, 1_250]],
      );
    });

    test('a user sees the invoices of the own tenants only', async () => {
      const { ask, newInvoice } = await start(env);
      const { id } = await newInvoice();
      const as = async (tenant: string) =>
        (await ask('GET', `/invoices/${id}`, undefined, { 'x-tenant': tenant })).status;
      assert.deepEqual([await as('north'), await as('south'), await as('west')], [200, 404, 403]);
    });

    test('a receipt is kept as it was sent', async () => {
      const { ask, newInvoice } = await start(env);
      const { id } = await newInvoice();
      const form = new FormData();
      const bytes = new Uint8Array([37, 80, 68, 70, 0, 255]);
      form.set('file', new File([bytes], 'receipt.pdf', { type: 'application/pdf' }));
      assert.equal((await ask('GET', `/invoices/${id}/receipt`)).status, 404);
      assert.equal((await ask('PUT', `/invoices/${id}/receipt`, form)).status, 204);
      const receipt = await ask('GET', `/invoices/${id}/receipt`);
      assert.match(receipt.headers.get('content-disposition') ?? '', new RegExp(`${id}\\.pdf`));
      assert.deepEqual(new Uint8Array(await receipt.arrayBuffer()), bytes);
    });

    test('an unpaid invoice is overdue after its term', async () => {
      const { ask, clock, newInvoice, store } = await start(env);
      await newInvoice();
      clock.advance(15 * 24 * 60 * 60_000);
      // Those of other tests too, in a database that they share.
      assert.ok((await store.features.invoices.markOverdue(new Date(clock()))) >= 1);
      const expired = await ask('GET', '/invoices');
      const { message } = (await expired.json()) as { message: string };
      assert.deepEqual([expired.status, message], [401, 'The token has expired.']);
    });
  });
}

describeBilling('SQLite', {});

const database = process.env['TEST_DATABASE'];
if (database !== undefined) describeBilling('PostgreSQL', { DATABASE_URL: database });

test('a wrong password gets no token', async () => {
  assert.equal((await (await start()).login('guess')).status, 401);
});
