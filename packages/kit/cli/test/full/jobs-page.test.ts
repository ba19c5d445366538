import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseContract } from '@contract-kit/core/openapi';
import { describeWith } from '@contract-kit/test-support';
import {
  commandsOf,
  listen,
  newFolder,
  shared,
  startPostgres,
  until,
} from '@contract-kit/test-support/testing';
import { sourcesOf } from '../../src/check/check-file.ts';
import { checkedOf } from '../../src/check/checked.ts';
import { compileIn } from '../../src/check/compile.ts';
import { namedIn } from '../support/page-service.ts';
import { inFolder } from '../support/service-folder.ts';

/* The service and the test of docs/guide/jobs.md and schedules.md. */

const CONTRACT = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
servers: [{ url: 'https://shop.example', description: Production. }]
security: [{ key: [] }]
paths:
  /payments:
    post:
      operationId: createPayment
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Payment' } } } }
      responses:
        '201': { description: Paid., content: { application/json: { schema: { $ref: '#/components/schemas/Payment' } } } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  schemas:
    Payment: { type: object, required: [id, email], properties: { id: { type: string }, email: { type: string } } }
    Receipt: { type: object, required: [paymentId, email], properties: { paymentId: { type: string }, email: { type: string } } }
`;
const TABLES = `CREATE TABLE payments (id text PRIMARY KEY, email text NOT NULL);
CREATE TABLE counts (day text PRIMARY KEY, payments integer NOT NULL);
`;

/** What the page leaves to the reader. */
const REST = {
  'payments/store.ts': `import type { Database } from '@contract-kit/server';
export const createPaymentStore = ({ query }: Database) => ({
  add: ({ id, email }: { id: string; email: string }) => query('INSERT INTO payments VALUES ($1, $2)', [id, email]),
  count: (day: string) =>
    query('INSERT INTO counts VALUES ($1, 1) ON CONFLICT (day) DO UPDATE SET payments = counts.payments + 1', [day]),
});
export type PaymentStore = ReturnType<typeof createPaymentStore>;
`,
  'payments/migrations/sqlite/0001-payments.sql': TABLES,
  'payments/migrations/postgres/0001-payments.sql': TABLES,
  'service.ts': `import { defineService, url } from '@contract-kit/server';
import { contract } from './contract.ts';
import { payments } from './payments/feature.ts';
export const service = defineService(
  contract,
  { payments },
  { version: '1.0.0', description: 'A shop.', settings: { MAIL_URL: url() } },
);
`,
  'main.ts': `import { runCommand } from '@contract-kit/server';
import { service } from './service.ts';
await runCommand(service);
`,
};

const run = promisify(execFile);

async function tryPage(settings: Record<string, string>): Promise<void> {
  const received: unknown[] = [];
  let rejects = true;
  const mail = await listen((request, response) => {
    received.push(request.headers['idempotency-key']);
    response.statusCode = rejects ? 503 : 200;
    rejects = false;
    request.resume().on('end', () => response.end());
  });
  const names = { name: 'shop', keyPrefix: 'shop_', databaseFile: 'store.db' };
  const sources = await sourcesOf(checkedOf(parseContract(CONTRACT), names));
  const snippets = Object.entries({ ...namedIn('jobs'), ...namedIn('schedules') }).map(([file, code]) => [
    file,
    code.replace('@shop/contract', file.includes('/') ? '../contract.ts' : './contract.ts'),
  ]);
  const files = { ...sources, ...REST, ...(Object.fromEntries(snippets) as Record<string, string>) };
  await inFolder(files, async (folder) => {
    expect(await compileIn(folder)).toBeUndefined();
    const env = { PATH: process.env['PATH'] ?? '', MAIL_URL: mail };
    await run(process.execPath, ['--import', 'tsx', 'jobs.test.ts'], { cwd: folder, env });
    expect(received).toEqual([received[0], received[0]]);

    const shop = commandsOf('shop', ['--import', 'tsx', path.join(folder, 'main.ts')]);
    const options = { dataDir: newFolder(), env: { MAIL_URL: mail, LOG_LEVEL: 'info', ...settings } };
    const { key } = await shop.json<{ key: string }>(['keys', 'create', '--name', 'a'], options);
    const { origin, output, kill } = await shop.serve(options);
    const pay = async (id: string) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ id, email: 'ada@example.com' });
      return (await fetch(`${origin}/payments`, { method: 'POST', headers, body })).status;
    };
    expect(await pay('p1')).toBe(201);
    // The same payment again is rolled back, and so are its jobs.
    expect(await pay('p1')).toBe(500);
    await until(() => output.stdout.includes('"msg":"receipt sent"'));
    await until(async () => (await shop.json<[]>(['jobs', 'list'], options)).length === 0);
    expect(received).toHaveLength(3);
    expect(output.stdout).not.toContain('ada@example.com');
    await kill('SIGTERM');
  });
}

test('the service of the page compiles and does what it says, on SQLite', () => tryPage({}), 120_000);

describeWith(['PostgreSQL'], 'PostgreSQL', () => {
  const postgres = shared(startPostgres);
  test(
    'the service of the page does what it says on PostgreSQL',
    async () => tryPage({ DATABASE_URL: await postgres.createDatabase() }),
    120_000,
  );
});
