import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Options } from '@contract-kit/client';
import { describeWith } from '@contract-kit/test-support';
import {
  commandsOf,
  newFolder,
  shared,
  startPostgres,
  startRelay,
  until,
} from '@contract-kit/test-support/testing';
import { parseContract } from '@contract-kit/core/openapi';
import { root } from '../../src/workspace.ts';
import { sourcesOf } from '../../src/check/check-file.ts';
import { checkedOf } from '../../src/check/checked.ts';
import { inFolder } from '../support/service-folder.ts';

/* The generated client, a service in another process, and a network between them that loses responses. */

const [, contract = ''] =
  /^```yaml\n([^]*?)^```$/m.exec(readFileSync(path.join(root, 'docs/guide/safe-repeats.md'), 'utf8')) ?? [];
const TABLE = 'CREATE TABLE payments (id KEY, amount integer NOT NULL);\n';
const SLOW = 7;
const SOURCES = {
  'migrations/sqlite/0001-payments.sql': TABLE.replace('KEY', 'integer PRIMARY KEY'),
  'migrations/postgres/0001-payments.sql': TABLE.replace('KEY', 'serial PRIMARY KEY'),
  'main.ts': `import { setTimeout as sleep } from 'node:timers/promises';
import { defineService, print, runCommand, type Database, type Feature, type Handlers } from '@contract-kit/server';
import { contract } from './contract.ts';
import type { Operations } from './operations.ts';
const open = ({ query }: Database) => ({
  add: (amount: number) =>
    query<{ id: number; amount: number }>('INSERT INTO payments (amount) VALUES ($1) RETURNING id, amount', [amount]),
  all: () => query('SELECT amount FROM payments ORDER BY id', []),
});
const payments: Feature<ReturnType<typeof open>, Handlers<Operations>> = {
  migrations: \`\${import.meta.dirname}/migrations\`,
  open,
  handlers: ({ transaction }) => ({
    async createPayment({ body: { amount } }, { log }) {
      log.info('paying');
      if (amount === ${SLOW}) await sleep(2_500);
      return transaction(async ({ store }) => {
        const [made = { amount }] = await store.add(amount);
        return { status: 201, body: made };
      });
    },
  }),
  commands: (program, withStore) =>
    void program.command('paid').action(() => withStore(async (store) => print({ json: true }, { paid: await store.all() }, ''))),
};
await runCommand(defineService(contract, { payments }, { version: '1.0.0', description: 'Payments.' }));
`,
};

type Client = { createPayment(input: { amount: number }): Promise<unknown> & { reply(): Promise<Reply> } };
type Reply = { readonly status: number; readonly attempts: number; readonly body: unknown };

function describeLosses(engine: string, newEnv: () => Promise<Record<string, string>>): void {
  test(`with ${engine}, a call whose response is lost, or that is cut off, pays once and gets the first response`, async () => {
    const names = { name: 'payments', keyPrefix: 'pay_', databaseFile: 'store.db' };
    const sources = await sourcesOf(checkedOf(parseContract(contract), names));
    await inFolder({ ...sources, ...SOURCES }, async (folder) => {
      const command = commandsOf('payments', ['--import', 'tsx', path.join(folder, 'main.ts')]);
      const options = { dataDir: newFolder(), env: { LOG_LEVEL: 'info', ...(await newEnv()) } };
      const { key } = await command.json<{ key: string }>(['keys', 'create', '--name', 'a'], options);
      const { origin, output, kill } = await command.serve(options);
      const count = (text: string) => output.stdout.split(text).length - 1;
      const relay = await startRelay(Number(new URL(origin).port));
      const { createPayments } = jest.requireActual<{ createPayments: (options: Options) => Client }>(
        path.join(folder, 'index.ts'),
      );
      const retries: unknown[] = [];
      const payments = createPayments({
        apiKey: key,
        baseUrl: `http://127.0.0.1:${relay.port}`,
        onRetry: ({ status }) => void retries.push(status),
      });

      // The server has committed, and its response does not arrive.
      relay.mute();
      const lost = payments.createPayment({ amount: 100 });
      await until(() => count('"status":201') === 1);
      relay.cut();
      relay.unmute();
      expect(await lost).toEqual({ id: 1, amount: 100 });
      expect(await lost).toEqual((await lost.reply()).body);
      expect(retries).toEqual([undefined]);
      expect(count('"msg":"paying"')).toBe(1);

      // The connection breaks while the server is at work: the client waits until the first request has a response.
      const slow = payments.createPayment({ amount: SLOW });
      await until(() => count('"msg":"paying"') === 2);
      relay.cut();
      const reply = await slow.reply();
      expect(reply).toMatchObject({ status: 201, body: { id: 2, amount: SLOW } });
      expect(retries.slice(1, 3)).toEqual([undefined, 409]);
      expect(reply.attempts).toBe(retries.length);
      expect(count('"msg":"paying"')).toBe(2);

      await kill('SIGTERM');
      const { stdout } = await command.run(['paid'], options);
      expect(JSON.parse(stdout)).toEqual({ paid: [{ amount: 100 }, { amount: SLOW }] });
    });
  }, 120_000);
}

describeLosses('SQLite', () => Promise.resolve({}));

describeWith(['PostgreSQL'], 'on PostgreSQL', () => {
  const postgres = shared(startPostgres);
  describeLosses('PostgreSQL', async () => ({ DATABASE_URL: await postgres.createDatabase() }));
});
