import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { startTestService } from '@contract-kit/testing';
import { service } from '../src/service.ts';

const stops: (() => Promise<unknown>)[] = [];
after(() => Promise.all(stops.map((stop) => stop())));

const settings = { LOGIN_KEY: 'only a test', WEBHOOK_URL: 'http://127.0.0.1:9' };
const CARD = { kind: 'card', lastDigits: '4242' };
const DAY = 24 * 60 * 60_000;

interface Invoice {
  readonly id: string;
  readonly status: string;
  readonly cents: number;
}
interface Page {
  readonly invoices: readonly Invoice[];
  readonly next?: string;
}
interface Payment {
  readonly id: string;
  readonly refundedAt?: string;
}
interface Sent {
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

/** The service with the user Ada of the tenants `north` and `south`, who is logged in and sells hours to Eve. */
async function start(env: Record<string, string>) {
  const { store, request, clock, stop } = await startTestService(service, { env, settings });
  stops.push(stop);
  // In a database that other tests share, each has its own tenants.
  const [north, south] = [`north-${randomUUID()}`, `south-${randomUUID()}`];
  const ada = `ada-${randomUUID()}`;
  await store.features.users.put({ name: ada, tenants: [north, south] }, 'a password');
  const login = (password: string) =>
    request('/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: ada, password }),
    });
  const { token } = (await (await login('a password')).json()) as { token: string };

  function ask(method: string, target: string, { body, headers = {} }: Sent = {}) {
    const isForm = body instanceof FormData;
    const type: Record<string, string> = isForm ? {} : { 'content-type': 'application/json' };
    return request(`/v1${target}`, {
      method,
      key: token,
      headers: { ...type, ...headers },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
  }
  const json = async <Value>(method: string, target: string, sent?: Sent) =>
    (await (await ask(method, target, sent)).json()) as Value;

  const { id: customerId } = await json<{ id: string }>('POST', '/customers', { body: { name: 'Eve' } });
  const hour = { name: 'Consulting', unit: 'hour' };
  const { id: productId } = await json<{ id: string }>('POST', '/products', { body: hour });
  await ask('PUT', `/products/${productId}/prices/EUR`, { body: { cents: 1_250 } });

  const newInvoice = (lines: object[] = [{ productId, quantity: 2 }]) =>
    ask('POST', '/invoices', { body: { customerId, currency: 'EUR', lines } });
  const draft = async () => (await (await newInvoice()).json()) as Invoice;
  async function open() {
    const { id } = await draft();
    return json<Invoice>('POST', `/invoices/${id}/send`);
  }
  const pay = (invoiceId: string, key = randomUUID()) =>
    ask('POST', '/payments', { body: { invoiceId, method: CARD }, headers: { 'idempotency-key': key } });
  return { store, clock, login, ask, json, newInvoice, draft, open, pay, south, productId };
}

function describeInvoicing(database: string, env: Record<string, string>): void {
  describe(`with ${database}`, () => {
    test('an invoice has the prices of its currency, or is rejected with a pointer', async () => {
      const { draft, newInvoice, productId } = await start(env);
      const { cents, status } = await draft();
      assert.deepEqual([cents, status], [2_500, 'draft']);
      const known = { productId, quantity: 1 };
      const rejected = await newInvoice([known, { productId: randomUUID(), quantity: 1 }]);
      const { errors } = (await rejected.json()) as { errors: { pointer: string }[] };
      assert.deepEqual([rejected.status, errors[0]?.pointer], [422, '#/lines/1/productId']);
    });

    test('an invoice is paid once, and a repeat gets the same payment', async () => {
      const { json, pay, open } = await start(env);
      const { id } = await open();
      const key = randomUUID();
      const [first, repeated, another] = [await pay(id, key), await pay(id, key), await pay(id)];
      assert.deepEqual([first.status, repeated.status, another.status], [201, 201, 409]);
      assert.deepEqual(await repeated.json(), await first.json());
      const { invoices } = await json<Page>('GET', '/invoices?status=paid');
      assert.deepEqual(
        invoices.map(({ id, cents }) => [id, cents]),
        [[id, 2_500]],
      );
    });

    test('a payment is paid back once, and its invoice is open again', async () => {
      const { ask, json, pay, open } = await start(env);
      const { id } = await open();
      const payment = (await (await pay(id)).json()) as Payment;
      const since = '/reports/revenue?since=2026-01-01';
      assert.deepEqual(await json('GET', since), [{ currency: 'EUR', cents: 2_500 }]);
      const refund = () =>
        ask('POST', `/payments/${payment.id}/refund`, { headers: { 'idempotency-key': randomUUID() } });
      const [first, second] = [await refund(), await refund()];
      assert.deepEqual([first.status, second.status], [200, 409]);
      const read = await json<Payment>('GET', `/payments/${payment.id}`);
      assert.deepEqual([read, typeof read.refundedAt], [await first.json(), 'string']);
      assert.equal((await json<Invoice>('GET', `/invoices/${id}`)).status, 'open');
      assert.deepEqual(await json('GET', since), []);
      assert.equal((await pay(id)).status, 201);
    });

    test('of two changes of one draft, the second is rejected', async () => {
      const { ask, newInvoice } = await start(env);
      const created = await newInvoice();
      const { id } = (await created.json()) as Invoice;
      const etag = created.headers.get('etag') ?? '';
      const change = (note: string, etag: string) =>
        ask('PATCH', `/invoices/${id}`, { body: { note }, headers: { 'if-match': etag } });
      const [first, second] = [await change('Net 14 days', etag), await change('Net 30 days', etag)];
      assert.deepEqual([first.status, second.status], [200, 412]);
      assert.equal((await change('Net 30 days', first.headers.get('etag') ?? '')).status, 200);
      assert.equal((await ask('POST', `/invoices/${id}/send`)).status, 200);
      assert.equal((await change('Too late', etag)).status, 409);
    });

    test('pages have each invoice once, and a cursor of others is rejected', async () => {
      const { ask, json, draft } = await start(env);
      const ids = [await draft(), await draft(), await draft()].map(({ id }) => id).sort();
      const pages: string[][] = [];
      let page: Page = { invoices: [], next: '' };
      while (page.next !== undefined) {
        const cursor = page.next && `&cursor=${page.next}`;
        page = await json<Page>('GET', `/invoices?limit=2${cursor}`);
        pages.push(page.invoices.map(({ id }) => id));
      }
      assert.deepEqual(pages, [ids.slice(0, 2), ids.slice(2)]);
      assert.equal((await ask('GET', '/invoices?cursor=page2')).status, 400);
      const [head, ...lines] = (await (await ask('GET', '/reports/invoices')).text()).trim().split('\n');
      assert.equal(head, 'id,customer,currency,cents,status,due');
      assert.deepEqual(
        lines.map((line) => line.split(',')[0]),
        ids,
      );
    });

    test('a user sees the invoices of the own tenants only', async () => {
      const { ask, draft, south } = await start(env);
      const { id } = await draft();
      const as = async (headers: Record<string, string>) =>
        (await ask('GET', `/invoices/${id}`, { headers })).status;
      assert.deepEqual(
        [await as({}), await as({ 'x-tenant': south }), await as({ 'x-tenant': 'west' })],
        [200, 404, 403],
      );
    });

    test('a receipt is kept as it was sent', async () => {
      const { ask, draft } = await start(env);
      const { id } = await draft();
      const bytes = new Uint8Array([37, 80, 68, 70, 0, 255]);
      const form = new FormData();
      form.set('file', new File([bytes], 'hours.pdf', { type: 'application/pdf' }));
      assert.equal((await ask('GET', `/receipts/${id}`)).status, 404);
      assert.equal((await ask('PUT', `/receipts/${id}`, { body: form })).status, 204);
      const receipt = await ask('GET', `/receipts/${id}`);
      assert.match(receipt.headers.get('content-disposition') ?? '', /hours\.pdf/);
      assert.equal(receipt.headers.get('content-type'), 'application/pdf');
      assert.deepEqual(new Uint8Array(await receipt.arrayBuffer()), bytes);
    });

    test('an unpaid invoice is overdue after its term', async () => {
      const { ask, clock, open, store } = await start(env);
      await open();
      clock.advance(15 * DAY);
      // Those of other tests too, in a database that they share.
      assert.ok((await store.features.invoices.markOverdue(new Date(clock()))) >= 1);
      const expired = await ask('GET', '/invoices');
      const { title } = (await expired.json()) as { title: string };
      assert.deepEqual([expired.status, title], [401, 'The token has expired.']);
    });

    test('a wrong password gets no token', async () => {
      assert.equal((await (await start(env)).login('guess')).status, 401);
    });
  });
}

describeInvoicing('SQLite', {});

const database = process.env['TEST_DATABASE'];
if (database !== undefined) describeInvoicing('PostgreSQL', { DATABASE_URL: database });
