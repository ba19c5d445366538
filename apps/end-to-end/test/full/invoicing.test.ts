import { randomUUID } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '@contract-kit/test-support';
import {
  commandsOf,
  listen,
  newFolder,
  shared,
  startPostgres,
  startRelay,
  until,
  type Served,
} from '@contract-kit/test-support/testing';
import { DatabaseSync } from '@photostructure/sqlite';
import { root } from '@petstore/server/testing';
import { describeChanges } from '../created/invoicing-changes.ts';
import { describeRequests } from '../created/invoicing-requests.ts';
import { login, type Invoice, type User } from '../support/invoicing.ts';
import { createRepository, output, type Repository } from '../support/repository.ts';

/*
 * Everything that a service needs, as an adopter writes it: the repository that `npm run create` makes, with the sources in
 * `examples/invoicing`. They import the public entry of the kit alone.
 */

const own = path.join(root, 'examples/invoicing');
let repository: Repository;
/** An error whose body the kit guesses, before there is an error-body.ts. */
let guessed: unknown;
/** What `npm run check` printed. */
let checked: string;
let invoicing: ReturnType<typeof commandsOf>;

const textOf = (name: string) => readFileSync(repository.file(name), 'utf8');

beforeAll(async () => {
  repository = await createRepository(path.join(own, 'openapi.yaml'), 'invoicing');
  const created = await repository.start();
  guessed = await (await fetch(`${created.origin}/v1/customers`)).json();
  await created.stop();
  for (const folder of ['src', 'test'])
    cpSync(path.join(own, folder), repository.file(`apps/server/${folder}`), { recursive: true });
  // Its own test uses both databases, and has the settings that it needs.
  rmSync(repository.file('apps/server/test/database.test.ts'));
  // It counts what is paid.
  await repository.npm('install', '--workspace', '@invoicing/server', 'prom-client@^15.1.3');
  await repository.npm('run', 'generate');
  await repository.npm('run', 'build');
  await repository.commit();
  invoicing = commandsOf('invoicing', [repository.file('apps/server/bin/service.js')]);
});

describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
  const postgres = shared(startPostgres);
  test('it compiles, and passes the generated test and its own ones on both databases', async () => {
    const database = `TEST_DATABASE=${await postgres.createDatabase()}`;
    checked = await output(repository.folder, 'env', database, 'npm', 'run', 'check');
  });

  test('its check runs no tests but these, and one of the client and one of the tools', async () => {
    const count = (file: string, part: RegExp) => textOf(file).match(part)?.length ?? 0;
    const own = count('apps/server/test/invoicing.test.ts', /^ +test\('/gm);
    const operations = count('openapi.yaml', /operationId:/g);
    // Each of these must respond with 501, too.
    const unfinished = (await repository.npm('run', '--silent', 'todo')).match(/:\d+ {2}\w+ /g) ?? [];
    const [, tests] = /^\S+ tests (\d+)$/m.exec(checked) ?? [];
    expect(Number(tests)).toBe(2 * own + operations + unfinished.length + 2);
  });
});

test('before it makes its own errors, those of the kit say what is wrong', () => {
  expect(guessed).toMatchObject({
    type: 'unauthorized',
    title: expect.stringMatching(/^The API key or token is missing: /) as string,
  });
});

describeChanges(() => repository);
// Its service starts only then: the tests before take minutes, and a command has to end in four.
describe('while it runs', () => describeRequests(() => invoicing));

test('its settings are in the page about configuration and in the files of deploy', () => {
  expect(textOf('docs/configuration.md')).toMatch(/`LOGIN_KEY` +\| required +\| signs the tokens of users/);
  expect(textOf('docs/configuration.md')).toMatch(/`TERM_DAYS` +\| `14` /);
  expect(textOf('deploy/compose.yaml')).toContain('LOGIN_KEY: ${LOGIN_KEY:?is required}');
  expect(textOf('deploy/compose.yaml')).toContain('TERM_DAYS: ${TERM_DAYS:-}');
  expect(textOf('deploy/invoicing.service')).toContain('it must have LOGIN_KEY, WEBHOOK_URL');
});

test('it imports the public entry, its contract and packages that it lists', () => {
  const manifest = JSON.parse(textOf('apps/server/package.json')) as {
    dependencies: Record<string, string>;
  };
  const sources = readdirSync(repository.file('apps/server/src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => textOf(`apps/server/src/${file}`));
  const imported = sources.flatMap((text) =>
    [...text.matchAll(/ from '(?![./]|node:)([^']+)'/g)].map(([, name]) => name),
  );
  expect(Object.keys(manifest.dependencies)).toEqual(expect.arrayContaining([...new Set(imported)]));
});

/** What the receiver of webhooks got. */
const delivered: string[] = [];
const webhook = shared(async () => {
  const url = await listen((req, res) => {
    let text = '';
    req.setEncoding('utf8').on('data', (part: string) => (text += part));
    req.on('end', () => {
      delivered.push((JSON.parse(text) as { id: string }).id);
      res.end();
    });
  });
  return { url };
});

const doesNightlyJob = ({ output }: Served) => output.stdout.includes('overdue invoices marked');

/** Each need once: upload, payment, log, metric, webhook, at `first` and seen at `second`. */
async function use(user: User, first: Served, second: Served): Promise<void> {
  const { id } = await user.open(first.origin);
  const bytes = new Uint8Array([37, 80, 68, 70, 0, 255]);
  const file = new File([bytes], 'hours.pdf', { type: 'application/pdf' });
  expect((await user.attach(first.origin, id, file)).status).toBe(204);
  const receipt = await user.get(second.origin, `/receipts/${id}`);
  expect(new Uint8Array(await receipt.arrayBuffer())).toEqual(bytes);

  const key = randomUUID();
  const paid = await user.pay(first.origin, id, key);
  const payment = (await paid.json()) as { id: string };
  expect(paid.status).toBe(201);
  const repeated = await user.pay(second.origin, id, key);
  expect([repeated.status, await repeated.json()]).toEqual([201, payment]);
  expect((await user.pay(second.origin, id, randomUUID())).status).toBe(409);
  expect(await (await user.get(second.origin, `/invoices/${id}`)).json()).toMatchObject({ status: 'paid' });

  const metrics = await (await fetch(`${first.origin}/metrics`)).text();
  expect(metrics).toContain('\ninvoicing_paid_cents_total 1250\n');
  const lines = () => first.output.stdout.split('\n').filter((text) => text.includes('"msg":"invoice paid"'));
  await until(() => lines().length > 0);
  expect(JSON.parse(lines()[0] ?? '')).toMatchObject({
    requestId: paid.headers.get('x-request-id'),
    operationId: 'createPayment',
    keyId: 'user:ada',
    payment: payment.id,
  });
  await until(() => delivered.includes(payment.id));
}

/** Adds a user, and starts `count` instances. */
async function start(count: number, environment: Record<string, string>) {
  const env = { LOGIN_KEY: 'a key for tests', WEBHOOK_URL: webhook.url, LOG_LEVEL: 'info', ...environment };
  const folders = Array.from({ length: count }, () => newFolder());
  const serve = (dataDir: string) => invoicing.serve({ dataDir, env });
  const [dataDir = ''] = folders;
  const adding = ['users', 'add', 'ada', 'north'];
  const { password } = await invoicing.json<{ password: string }>(adding, { dataDir, env });
  const instances = await Promise.all(folders.map(serve));
  const user = await login(instances[0]?.origin ?? '', 'ada', password);
  const outbox = () => invoicing.json<unknown[]>(['outbox'], { dataDir, env });
  return { dataDir, serve, instances, user, outbox };
}

/** A request that waits for the database, `release` later, while its instance stops: it still gets its response. */
async function expectGracefulStop(user: User, { origin, kill }: Served, release: () => unknown) {
  const response = user.draft(origin);
  await sleep(500);
  const stopped = kill('SIGTERM');
  await sleep(500);
  await release();
  expect(await response).toMatchObject({ status: 'draft' });
  expect(await stopped).toBe(0);
}

test('on SQLite, a payment whose response was lost with its process is made once', async () => {
  const { dataDir, serve, instances, user, outbox } = await start(1, {});
  const [first] = instances as [Served];
  await use(user, first, first);

  const { id } = await user.open(first.origin);
  const key = randomUUID();
  const relay = await startRelay(Number(new URL(first.origin).port));
  relay.mute();
  const lost = user.pay(`http://127.0.0.1:${relay.port}`, id, key);
  lost.catch(() => undefined);
  await until(async () => {
    const { status } = (await (await user.get(first.origin, `/invoices/${id}`)).json()) as Invoice;
    return status === 'paid';
  });
  await first.kill('SIGKILL');
  await expect(lost).rejects.toThrow();

  const second = await serve(dataDir);
  const payment = (await (await user.pay(second.origin, id, key)).json()) as { id: string };
  expect(await (await user.pay(second.origin, id, key)).json()).toEqual(payment);
  await until(() => delivered.includes(payment.id));
  await until(async () => (await outbox()).length === 0);

  const other = new DatabaseSync(path.join(dataDir, 'store.db'));
  other.exec('BEGIN IMMEDIATE');
  await expectGracefulStop(user, second, () => other.close());
});

describeWith(['PostgreSQL'], 'on PostgreSQL', () => {
  const postgres = shared(startPostgres);

  test('two instances are one service: when one dies amid a payment, the other repeats it and takes its jobs over', async () => {
    const database = await postgres.createDatabase();
    const { instances, user, outbox } = await start(2, { DATABASE_URL: database });
    const [first, second] = instances as [Served, Served];
    await use(user, first, second);
    await until(() => instances.some(doesNightlyJob));
    const [dying, other] = doesNightlyJob(first) ? [first, second] : [second, first];
    expect(doesNightlyJob(other)).toBe(false);

    // The commit takes a while, and the process that began it dies meanwhile.
    await postgres.run(
      `CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NULL; END';
       CREATE CONSTRAINT TRIGGER pause AFTER INSERT ON payments DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION pause()`,
      database,
    );
    const { id } = await user.open(dying.origin);
    const key = randomUUID();
    const lost = user.pay(dying.origin, id, key);
    lost.catch(() => undefined);
    const commits = `SELECT FROM pg_stat_activity WHERE state = 'active' AND query ILIKE 'commit'`;
    await until(async () => (await postgres.run(commits, database)).length > 0);
    await dying.kill('SIGKILL');
    await expect(lost).rejects.toThrow();

    let repeated = await user.pay(other.origin, id, key);
    await until(async () => {
      if (repeated.status === 409) repeated = await user.pay(other.origin, id, key);
      return repeated.status !== 409;
    });
    expect(repeated.status).toBe(201);
    const payment = (await repeated.json()) as { id: string };
    const rows = await postgres.run<{ id: string }>('SELECT id FROM payments ORDER BY at DESC', database);
    expect([rows.length, rows[0]?.id]).toEqual([2, payment.id]);

    await until(() => doesNightlyJob(other));
    await until(() => delivered.includes(payment.id));
    await until(async () => (await outbox()).length === 0);
    const release = await postgres.hold(database, 'LOCK TABLE invoices');
    await expectGracefulStop(user, other, release);
  });
});
