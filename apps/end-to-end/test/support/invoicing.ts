import { randomUUID } from 'node:crypto';

/* A user of the invoicing service in examples/invoicing, at any of its instances. */

export interface Invoice {
  readonly id: string;
  readonly status: string;
}

interface Sent {
  readonly body?: object | string;
  readonly headers?: Record<string, string>;
}

/** Sends JSON, a text as it is, or a form, with `credentials`. */
export const asking =
  (credentials: Record<string, string>) =>
  (origin: string, method: string, target: string, { body, headers = {} }: Sent = {}): Promise<Response> => {
    const isForm = body instanceof FormData;
    const type: Record<string, string> = isForm ? {} : { 'content-type': 'application/json' };
    return fetch(`${origin}/v1${target}`, {
      method,
      headers: { ...credentials, ...type, ...headers },
      ...(body !== undefined && { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  };

/** The fields of a response that must have `status`. */
export async function fieldsOf<Fields>(response: Promise<Response>, status: number): Promise<Fields> {
  const sent = await response;
  const fields = (await sent.json()) as Fields;
  expect([sent.status, fields]).toEqual([status, fields]);
  return fields;
}

/** A user of the tenant `north`, who sells hours for 12.50 EUR to Eve. */
export async function login(origin: string, name: string, password: string) {
  const response = await fetch(`${origin}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password }),
  });
  const { token } = (await response.json()) as { token: string };
  const ask = asking({ authorization: `Bearer ${token}`, 'x-tenant': 'north' });
  const make = (target: string, body: object) =>
    fieldsOf<{ id: string }>(ask(origin, 'POST', target, { body }), 201);
  const { id: customerId } = await make('/customers', { name: `Eve ${randomUUID()}` });
  const { id: productId } = await make('/products', { name: 'Consulting', unit: 'hour' });
  await ask(origin, 'PUT', `/products/${productId}/prices/EUR`, { body: { cents: 1_250 } });

  const draft = (at: string, quantities = [1]) => {
    const lines = quantities.map((quantity) => ({ productId, quantity }));
    const body = { customerId, currency: 'EUR', lines };
    return fieldsOf<Invoice>(ask(at, 'POST', '/invoices', { body }), 201);
  };
  return {
    ask,
    get: (at: string, target: string) => ask(at, 'GET', target),
    draft,
    /** An invoice that was sent to its customer. */
    async open(at: string) {
      const { id } = await draft(at);
      return fieldsOf<Invoice>(ask(at, 'POST', `/invoices/${id}/send`), 200);
    },
    attach(at: string, id: string, file: File) {
      const body = new FormData();
      body.set('file', file);
      return ask(at, 'PUT', `/receipts/${id}`, { body });
    },
    pay: (at: string, invoiceId: string, key: string = randomUUID()) =>
      ask(at, 'POST', '/payments', {
        body: { invoiceId, method: { kind: 'card', lastDigits: '4242' } },
        headers: { 'idempotency-key': key },
      }),
    productId,
  };
}

export type User = Awaited<ReturnType<typeof login>>;
