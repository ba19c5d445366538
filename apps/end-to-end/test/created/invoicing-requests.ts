import { randomUUID } from 'node:crypto';
import { describeWith } from '@contract-kit/test-support';
import {
  listen,
  newFolder,
  shared,
  startPostgres,
  until,
  type commandsOf,
  type Served,
} from '@contract-kit/test-support/testing';
import { asking, fieldsOf, login, type User } from '../support/invoicing.ts';

/* The invoicing service of examples/invoicing while it runs: its requests, commands and data. */

type Commands = ReturnType<typeof commandsOf>;

interface Problem {
  readonly errors: readonly { readonly pointer?: string; readonly parameter?: string }[];
}
interface Key {
  readonly id: string;
  readonly key: string;
}

export function describeRequests(commands: () => Commands): void {
  /** The deliveries of payments, to which nobody responds. */
  let deliveries = 0;
  const silent = shared(async () => ({ url: await listen(() => void deliveries++) }));
  const dataDir = newFolder();
  const environment = () => ({ LOGIN_KEY: 'a key for tests', WEBHOOK_URL: silent.url, LOG_LEVEL: 'info' });
  const options = () => ({ dataDir, env: environment() });
  const keyOf = (owner: string, ...scopes: string[]) =>
    commands().json<Key>(
      [
        'keys',
        'create',
        '--name',
        'Test',
        '--owner',
        owner,
        ...scopes.flatMap((scope) => ['--scope', scope]),
      ],
      options(),
    );
  const withKey = ({ key }: Key) => asking({ 'x-api-key': key });
  const pointersIn = async (response: Promise<Response>, status: number) =>
    (await fieldsOf<Problem>(response, status)).errors.map(
      ({ pointer, parameter }) => pointer ?? parameter ?? '',
    );

  let service: Served;
  let origin: string;
  let password: string;
  let user: User;

  beforeAll(async () => {
    const adding = ['users', 'add', 'ada', 'north'];
    ({ password } = await commands().json<{ password: string }>(adding, options()));
    service = await commands().serve(options());
    ({ origin } = service);
    user = await login(origin, 'ada', password);
  });

  test('a key has its scopes, whichever header sends it', async () => {
    const customers = await keyOf('north', 'customers:write');
    const payments = await keyOf('north', 'payments:write');
    const statuses = ({ key }: Key, method: string, body?: object) =>
      Promise.all(
        [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }].map(async (credentials) => {
          const named = body && { body: { name: randomUUID() } };
          return (await asking(credentials)(origin, method, '/customers', named)).status;
        }),
      );
    expect(await statuses(customers, 'POST', {})).toEqual([201, 201]);
    expect(await statuses(payments, 'POST', {})).toEqual([403, 403]);
    expect(await statuses(payments, 'GET')).toEqual([200, 200]);
  });

  test.each(['"hello"', '42', 'null', '[]'])(
    'of a schema with properties and no type, %s is not valid',
    async (body) => {
      const response = user.ask(origin, 'POST', '/customers', { body });
      expect(await pointersIn(response, 400)).toEqual(['#']);
    },
  );

  test('a file arrives with its name and type, which encoding restricts', async () => {
    const { id } = await user.draft(origin);
    const image = new File([new Uint8Array([0, 255])], 'Beleg ü.png', { type: 'image/png' });
    expect((await user.attach(origin, id, image)).status).toBe(204);
    const { headers } = await user.get(origin, `/receipts/${id}`);
    expect(headers.get('content-type')).toBe('image/png');
    expect(decodeURIComponent(headers.get('content-disposition') ?? '')).toContain('Beleg ü.png');
    const text = new File(['a'], 'a.txt', { type: 'text/plain' });
    expect(await pointersIn(user.attach(origin, id, text), 422)).toEqual(['#/file']);
  });

  test('an invalid request gets the declared status, with a pointer to each violation', async () => {
    const body = { customerId: 'Eve', lines: [{ productId: randomUUID(), quantity: 0 }], total: 1 };
    const rejected = await pointersIn(user.ask(origin, 'POST', '/invoices', { body }), 422);
    expect(rejected.sort()).toEqual(['#', '#', '#/customerId', '#/lines/0/quantity']);
    const listed = user.get(origin, '/invoices?limit=0&status=lost');
    expect((await pointersIn(listed, 400)).sort()).toEqual(['limit', 'status']);
  });

  test('a violation in a union is that of the branch which the discriminator names', async () => {
    const body = { invoiceId: randomUUID(), method: { kind: 'transfer' } };
    const headers = { 'idempotency-key': randomUUID() };
    expect(await fieldsOf(user.ask(origin, 'POST', '/payments', { body, headers }), 400)).toEqual({
      code: 'invalid_request',
      message: "body/method must have required property 'iban'.",
      status: 400,
    });
  });

  test('an undeclared header reaches the service', async () => {
    const headers = { 'x-tenant': 'south' };
    const { title } = await fieldsOf<{ title: string }>(
      user.ask(origin, 'GET', '/customers', { headers }),
      403,
    );
    expect(title).toBe('You do not belong to the tenant south.');
  });

  test('rows stay with the owner of a key that is revoked', async () => {
    const [old, other] = [await keyOf('west', 'customers:write'), await keyOf('east')];
    const body = { name: 'Bob' };
    const customer = await fieldsOf<{ id: string }>(
      withKey(old)(origin, 'POST', '/customers', { body }),
      201,
    );
    const next = await keyOf('west');
    await commands().json(['keys', 'revoke', old.id, '--yes'], options());
    const read = (key: Key, status: number) =>
      fieldsOf(withKey(key)(origin, 'GET', `/customers/${customer.id}`), status);
    expect(await read(next, 200)).toEqual(customer);
    await read(other, 404);
  });

  test('a bad setting is one line', async () => {
    const env = { ...environment(), TERM_DAYS: 'two weeks' };
    const refused = await commands().run(['serve', '--port', '0'], { dataDir: newFolder(), env });
    const reason = 'TERM_DAYS must be a whole number from 0 to 90, not "two weeks"';
    expect([refused.code, refused.stderr]).toEqual([2, `invoicing: bad configuration: ${reason}\n`]);
  });

  test('background work that waits for another service ends with a stop, before the store closes', async () => {
    const { id } = await user.open(origin);
    expect((await user.pay(origin, id)).status).toBe(201);
    await until(() => deliveries > 0);
    expect(await service.kill('SIGTERM')).toBe(0);
    const { stdout, stderr } = service.output;
    const errors = stdout.split('\n').filter((line) => /"level":(50|60)/.test(line));
    expect([errors, stderr]).toEqual([[], '']);
  });

  describeWith(['PostgreSQL'], 'from SQLite to PostgreSQL', () => {
    const postgres = shared(startPostgres);
    let database: string;
    beforeAll(async () => void (database = await postgres.createDatabase()));

    test('migrate-data moves every table, with composite keys and each byte of a file', async () => {
      const from = await commands().serve(options());
      const key = await keyOf('north');
      const { id } = await user.draft(from.origin, [2, 3, 5]);
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
      const file = new File([bytes], 'bytes.pdf', { type: 'application/pdf' });
      expect((await user.attach(from.origin, id, file)).status).toBe(204);
      const paid = await user.open(from.origin);
      const { id: payment } = await fieldsOf<{ id: string }>(user.pay(from.origin, paid.id), 201);
      const targets = [
        ...['/customers', '/products', `/products/${user.productId}/prices`, '/invoices?limit=100'],
        ...[`/invoices/${id}`, `/payments/${payment}`, '/reports/revenue?since=2020-01-01'],
      ];
      const readAll = (at: string) =>
        Promise.all(targets.map((target) => fieldsOf(withKey(key)(at, 'GET', target), 200)));
      const before = await readAll(from.origin);
      await from.kill('SIGTERM');

      const env = { ...environment(), DATABASE_URL: database };
      const to = { dataDir: newFolder(), env };
      expect((await commands().run(['migrate-data', '--from', dataDir], to)).code).toBe(0);
      const { origin } = await commands().serve(to);
      expect(await readAll(origin)).toEqual(before);
      const receipt = await withKey(key)(origin, 'GET', `/receipts/${id}`);
      expect(new Uint8Array(await receipt.arrayBuffer())).toEqual(bytes);
      // Users have moved too.
      await login(origin, 'ada', password);
    });

    test('tables are made in the order of the features, so that they refer to earlier ones', async () => {
      const references = await postgres.run<{ pair: string }>(
        `SELECT conrelid::regclass || ' ' || confrelid::regclass AS pair FROM pg_constraint
         WHERE contype = 'f' ORDER BY pair`,
        database,
      );
      expect(references.map(({ pair }) => pair)).toEqual([
        ...['invoice_lines invoices', 'invoice_lines products', 'invoices customers'],
        ...['payments invoices', 'prices products', 'receipts invoices'],
      ]);
    });
  });
}
