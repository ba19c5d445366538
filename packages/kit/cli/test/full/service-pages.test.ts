import { readFileSync } from 'node:fs';
import path from 'node:path';
import { commandsOf, listen, newFolder, until } from '@contract-kit/test-support/testing';
import type { startTestService } from '@contract-kit/testing';
import { parseContract } from '@contract-kit/core/openapi';
import { root } from '../../src/workspace.ts';
import { sourcesOf } from '../../src/check/check-file.ts';
import { checkedOf } from '../../src/check/checked.ts';
import { compileIn } from '../../src/check/compile.ts';
import { inFolder } from '../support/service-folder.ts';

/* Every snippet of these pages, as one service: it compiles, and does what the pages say. */

const PAGES = ['handlers', 'middleware', 'background-work', 'settings'];

/** The snippets by the file that their first line names. */
const snippets = Object.fromEntries(
  PAGES.flatMap((page) => {
    const text = readFileSync(path.join(root, `docs/guide/${page}.md`), 'utf8');
    return [...text.matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```$/gm)].map(([, file = '', code = '']) => {
      const depth = file.split('/').length - 1;
      return [
        file,
        code.replace('@billing/contract', `${depth === 0 ? './' : '../'.repeat(depth)}contract.ts`),
      ];
    });
  }),
) as Record<string, string>;

const error = (description: string) =>
  `{ description: ${description}, content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }`;
const CONTRACT = `openapi: 3.1.0
info: { title: Billing, version: 1.0.0 }
servers: [{ url: 'https://billing.example/v1', description: Production. }]
x-rate-limit-plans: { free: { name: Free, perMinute: 60, perDay: 1000 } }
x-error-codes: { conflict: { status: 409 }, not_found: { status: 404 } }
security: [{ key: [] }]
paths:
  /invoices/{invoiceId}/reminders:
    post:
      operationId: remindCustomer
      parameters: [{ name: invoiceId, in: path, required: true, schema: { type: string } }]
      responses: { '204': { description: Sent. }, '404': ${error('None.')} }
  /payments:
    post:
      operationId: createPayment
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Payment' } } } }
      responses:
        '201': { description: Paid., content: { application/json: { schema: { $ref: '#/components/schemas/Payment' } } } }
        '409': ${error('Paid already.')}
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  schemas:
    Payment: { type: object, required: [id, invoiceId], properties: { id: { type: string }, invoiceId: { type: string } } }
    Error: { type: object, required: [code, message, status], properties: { code: { type: string }, message: { type: string }, status: { type: integer } } }
`;

type Start = (mail: string) => ReturnType<typeof startTestService>;

const TEST = 'test/payments.ts';

/** What the pages leave to the reader. */
const REST = {
  'invoices/store.ts': `import type { Database } from '@contract-kit/server';
export const createInvoiceStore = ({ query }: Database) => ({
  find: async (tenant: unknown, id: string) =>
    (await query<{ paid: number }>('SELECT paid FROM invoices WHERE tenant = $1 AND id = $2', [tenant, id]))[0],
  markPaid: (id: string) => query('UPDATE invoices SET paid = 1 WHERE id = $1', [id]),
});
export type InvoiceStore = ReturnType<typeof createInvoiceStore>;
`,
  'invoices/feature.ts': `import path from 'node:path';
import { print, type Feature } from '@contract-kit/server';
import type { Settings } from '../settings.ts';
import { invoiceHandlers } from './handlers.ts';
import { createInvoiceStore, type InvoiceStore } from './store.ts';
export const invoices: Feature<InvoiceStore, ReturnType<typeof invoiceHandlers>, { settings: Settings }> = {
  migrations: path.join(import.meta.dirname, 'migrations'),
  open: createInvoiceStore,
  handlers: invoiceHandlers,
  commands: (program, withStore) =>
    void program.command('paid').action(() =>
      withStore(async (store) => {
        const paid = (await store.find('north', '7'))?.paid;
        print({ json: true }, { paid }, '');
      }),
    ),
};
`,
  'invoices/migrations/sqlite/0001-invoices.sql': `CREATE TABLE invoices (id text PRIMARY KEY, tenant text NOT NULL, paid integer NOT NULL);
INSERT INTO invoices VALUES ('7', 'north', 0);
`,
  'payments/store.ts': `import type { Database } from '@contract-kit/server';
interface Payment { readonly id: string; readonly invoiceId: string }
export const createPaymentStore = ({ query }: Database) => ({
  add: ({ id, invoiceId }: Payment, at: Date) =>
    query('INSERT INTO payments VALUES ($1, $2, $3, 0)', [id, invoiceId, at.toISOString()]),
  undelivered: (most: number) => query<Payment>('SELECT id FROM payments WHERE delivered = 0 LIMIT $1', [most]),
  markDelivered: (id: string) => query('UPDATE payments SET delivered = 1 WHERE id = $1', [id]),
});
export type PaymentStore = ReturnType<typeof createPaymentStore>;
`,
  'payments/migrations/sqlite/0001-payments.sql':
    'CREATE TABLE payments (id text PRIMARY KEY, invoice text NOT NULL, at text NOT NULL, delivered integer NOT NULL);\n',
  'main.ts': `import { runCommand } from '@contract-kit/server';
import { service } from './service.ts';
await runCommand(service);
`,
};

test('the service of the pages about services compiles and does what they say', async () => {
  const received: { url: string | undefined; id: unknown; authorization: string | undefined }[] = [];
  const mail = await listen((req, res) => {
    const { url, headers } = req;
    received.push({ url, id: headers['x-request-id'], authorization: headers.authorization });
    req.resume().on('end', () => res.end());
  });
  const names = { name: 'billing', keyPrefix: 'bill_', databaseFile: 'store.db' };
  const sources = await sourcesOf(checkedOf(parseContract(CONTRACT), names));
  // The test support needs the types of Jest.
  const tests = { [TEST]: `/// <reference types="jest" />\n${snippets[TEST]}` };
  await inFolder({ ...sources, ...REST, ...snippets, ...tests }, async (folder) => {
    expect(await compileIn(folder)).toBeUndefined();
    const billing = commandsOf('billing', ['--import', 'tsx', path.join(folder, 'main.ts')]);
    const env = { MAIL_URL: mail, MAIL_KEY: 'mail key 1', WEBHOOK_URL: `${mail}/hook`, LOG_LEVEL: 'info' };
    const options = { dataDir: newFolder(), env };
    const creating = ['keys', 'create', '--plan', 'free', '--name', 'a', '--owner', 'north'];
    const { key } = await billing.json<{ key: string }>(creating, options);
    const { origin, output, kill } = await billing.serve(options);
    const ask = (target: string, body?: object, tenant: Record<string, string> = { 'x-tenant': 'north' }) =>
      fetch(origin + target, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...tenant },
        ...(body && { body: JSON.stringify(body) }),
      });

    const reminded = await ask('/v1/invoices/7/reminders');
    expect(reminded.status).toBe(204);
    const id = reminded.headers.get('x-request-id');
    expect(received).toEqual([{ url: '/7', id, authorization: 'Bearer mail key 1' }]);
    await until(() => output.stdout.includes('"msg":"customer reminded"'));
    expect((await ask('/v1/invoices/8/reminders')).status).toBe(404);
    expect((await ask('/v1/invoices/7/reminders', undefined, {})).status).toBe(403);

    const payment = { id: 'p1', invoiceId: '7' };
    expect((await ask('/v1/payments', payment)).status).toBe(201);
    expect((await ask('/v1/payments', payment)).status).toBe(409);
    expect(await (await fetch(`${origin}/metrics`)).text()).toContain('\npayments_total 1\n');
    await until(() => output.stdout.includes('"msg":"payment delivered"'));
    expect(received.filter(({ url }) => url === '/hook')).toHaveLength(1);
    expect((await ask('/webhooks/bank', { invoiceId: '7' }, {})).status).toBe(204);
    await kill('SIGTERM');
    expect((await billing.run(['paid'], options)).stdout).toBe('{"paid":1}\n');
    expect(await billing.json(['payments'], options)).toEqual({ count: 0 });
    expect((await billing.run(['--help'], options)).stdout).toContain('REMINDER_DAYS');

    const { startWith } = jest.requireActual<{ startWith: Start }>(path.join(folder, TEST));
    const started = await startWith(mail);
    expect(await started.request('/v1/payments', { method: 'POST' })).toMatchObject({ status: 401 });
    await started.stop();
  });
}, 120_000);
