import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith } from '@contract-kit/local-stack';
import { startProcess } from '@contract-kit/local-stack/testing';
import type { Workspace } from '@petstore/server/testing';

/* The first steps in an adopted repository, as its AGENTS.md lists them, with bookings. */

const MIGRATION = `CREATE TABLE bookings (id text PRIMARY KEY, room text NOT NULL, starts text NOT NULL, note text,
  UNIQUE (room, starts));
`;
const STORE = `import { columnNames, itemOf, type Database, type Row, type Table } from '@contract-kit/server';
import type { components } from '@my-bookings/contract';

export type Booking = components['schemas']['Booking'];

export const bookings: Table<Booking> = {
  name: 'bookings',
  columns: {
    id: { column: 'id', holds: 'text' },
    room: { column: 'room', holds: 'text' },
    starts: { column: 'starts', holds: 'text' },
    note: { column: 'note', holds: 'text' },
  },
};

export function createStore({ query, transaction }: Database) {
  return {
    async list() {
      const rows = await query<Row>(\`SELECT \${columnNames(bookings).join(', ')} FROM bookings ORDER BY starts\`);
      return rows.map((row) => itemOf(bookings, row));
    },
    add: ({ id, room, starts }: Booking) =>
      transaction(async (run) => {
        await run('DELETE FROM bookings WHERE room = $1 AND starts < $2', [room, starts]);
        await run('INSERT INTO bookings (id, room, starts) VALUES ($1, $2, $3)', [id, room, starts]);
      }),
  };
}

export type Store = ReturnType<typeof createStore>;
`;
const FEATURE = `import path from 'node:path';
import type { Feature } from '@contract-kit/server';
import { handlers } from './handlers.ts';
import { createStore, type Store } from './store.ts';

export const feature: Feature<Store, ReturnType<typeof handlers>> = {
  migrations: path.join(import.meta.dirname, 'migrations'),
  open: createStore,
  handlers,
};
`;
const LIST = 'listBookings: async () => ({ status: 200, body: await store.list() })';
const CREATE = `async createBooking({ body }) {
      const booking = { ...body, id: randomUUID() };
      try {
        await store.add(booking);
      } catch (error) {
        if (!(error instanceof ConstraintError)) throw error;
        return { status: 409, body: { title: 'The room is taken.', status: 409 } };
      }
      return { status: 201, body: booking };
    }`;
const TEST = `import { describeWith } from '@contract-kit/local-stack';
import { shared, startPostgres } from '@contract-kit/local-stack/testing';
import { startTestService } from '@contract-kit/server/testing';
import { service } from '../src/service.ts';

async function expectConflict(env: Record<string, string> = {}) {
  const { request, unlimitedKey, stop } = await startTestService(service, { env });
  const key = await unlimitedKey();
  const body = JSON.stringify({ room: 'Blue', starts: '2026-12-01T09:00:00Z' });
  const headers = { 'content-type': 'application/json' };
  const book = () => request('/api/v3/bookings', { method: 'POST', key, headers, body });
  const [first, second] = [await book(), await book()];
  expect([first.status, second.status]).toEqual([201, 409]);
  expect(second.headers.get('content-type')).toBe('application/problem+json');
  expect(await (await request('/api/v3/bookings', { key })).json()).toEqual([await first.json()]);
  await stop();
}

test('a room is booked once', () => expectConflict());

test('errors are of their own shape, and holders of other tokens are known', async () => {
  const { request, stop } = await startTestService(service);
  const response = await request('/api/v3/rooms', { key: 'let-me-in' });
  expect(await response.json()).toMatchObject({ title: 'Mine', status: 501 });
  await stop();
});

describeWith(['PostgreSQL'], 'PostgreSQL', () => {
  const postgres = shared(startPostgres);
  test('a room is booked once', async () => expectConflict({ DATABASE_URL: await postgres.createDatabase() }));
});
`;
const FAKE_TEST = `import { createMyBookings } from '@my-bookings/client';
import { createFakeMyBookings } from '@my-bookings/client/testing';

test('code that books a room is tested with the fake', async () => {
  const fake = createFakeMyBookings({ answers: { fetch: { body: ['Blue'] } } });
  const client = createMyBookings({ apiKey: 'mybook_a', baseUrl: 'https://a.example/api/v3', fetch: fake.fetch });
  expect(await client.fetch()).toEqual(['Blue']);
  expect(await client.listBookings()).toEqual([expect.objectContaining({ room: 'text' })]);
});
`;
const CALL = `import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createMyBookings } from '@my-bookings/client';

const client = createMyBookings();
await client.createBooking({ room: 'Blue', starts: '2026-12-01T09:00:00Z' });
const again = await client.createBooking({ room: 'Blue', starts: '2026-12-01T09:00:00Z' }).result();
console.log(again.error?.status, (await client.listBookings()).length);
const tools = new Client({ name: 'test', version: '1.0.0' });
const server = { command: process.execPath, args: ['--import', 'tsx', 'packages/mcp/src/main.ts'] };
await tools.connect(new StdioClientTransport({ ...server, env: process.env as Record<string, string> }));
console.log(JSON.stringify(await tools.callTool({ name: 'listBookings', arguments: {} })));
await tools.close();
`;
const NGINX = `import { mistakesInDeploy } from '@contract-kit/local-stack';

console.log(mistakesInDeploy(import.meta.dirname + '/.data'));
`;
const MOVE = `    put:
      tags: [..]
      operationId: moveBooking
      responses: { '204': { description: Moved. } }
`;

export function describeFirstHour(workspace: Workspace): void {
  const { edit, file } = workspace;
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(file(name)), { recursive: true });
    writeFileSync(file(name), text);
  };
  const handle = (change: (text: string) => string) => edit('apps/server/src/api/handlers.ts', change);

  test('a table, migrations and two handlers store bookings in both databases', async () => {
    for (const engine of ['sqlite', 'postgres'])
      write(`apps/server/src/api/migrations/${engine}/0001-bookings.sql`, MIGRATION);
    write('apps/server/src/api/store.ts', STORE);
    write('apps/server/src/api/feature.ts', FEATURE);
    handle((text) =>
      text
        .replace(
          'import { notYet',
          `import { randomUUID } from 'node:crypto';\nimport { ConstraintError, notYet`,
        )
        .replace('_services', '{ store }')
        .replace('listBookings: notYet', LIST)
        .replace('createBooking: notYet', CREATE),
    );
    edit('apps/server/src/error-body.ts', (text) => text.replace('title: error.code', "title: 'Mine'"));
    edit('apps/server/src/authenticate.ts', (text) =>
      text.replace('() => undefined', "(token) => (token === 'let-me-in' ? { id: 'ada' } : undefined)"),
    );
    write('apps/server/test/bookings.test.ts', TEST);
    const [, example = ''] = /```ts\n(.*?)```/s.exec(readFileSync(file('AGENTS.md'), 'utf8')) ?? [];
    write('apps/server/src/example.ts', example);
    await workspace.typecheck();
    await workspace.jest('apps/server');
  });

  test('the client, its fake and the tools for agents call them', async () => {
    write('packages/client/test/fake.test.ts', FAKE_TEST);
    await workspace.jest('packages/client', 'fake');
    const { origin, key, stop } = await workspace.serve();
    const env = { ...process.env, MY_BOOKINGS_API_KEY: key, MY_BOOKINGS_BASE_URL: `${origin}/api/v3` };
    write('call.ts', CALL);
    const options = { cwd: workspace.folder, env };
    const called = startProcess(process.execPath, ['--import', 'tsx', 'call.ts'], options);
    expect([await called.ended, called.output.stderr]).toEqual([0, '']);
    expect(called.output.stdout).toMatch(/^409 1\n.*2026-12-01T09:00:00Z.*\n$/);
    await stop();
  });

  test('friction 14: a draft has no baseline before its first release', async () => {
    expect(existsSync(file('openapi.released.yaml'))).toBe(false);
    expect(await workspace.npm('run', '--silent', 'contract:diff')).toMatch(/^Nothing is released yet/);
    // As `npm run release` leaves it.
    cpSync(file('openapi.yaml'), file('openapi.released.yaml'));
  });

  test('the compiler names the callers of a changed operation, and contract:diff rates the change', async () => {
    edit('openapi.yaml', (text) => text.replace('    delete:\n', `${MOVE}    delete:\n`));
    await workspace.generate();
    expect(readFileSync(file('deploy/nginx.conf'), 'utf8')).toContain('"title":"Mine"');
    await expect(workspace.typecheck()).rejects.toThrow(/moveBooking/);
    handle((text) => text.replace('delete: notYet', 'moveBooking: notYet,\n    delete: notYet'));
    await expect(workspace.npm('run', 'contract:diff')).rejects.toThrow(/3\.5\.0/);
    edit('openapi.yaml', (text) => text.replace('version: 3.4.0', 'version: 3.5.0'));
    await workspace.generate();
    handle((text) => text.replace("'delete'", "'moveBooking' | 'delete'"));
    await workspace.typecheck();
    await workspace.npm('run', 'contract:diff');
  });

  describeWith(['nginx', 'systemd'], 'with nginx and systemd', () => {
    test('both take the files of deploy', async () => {
      write('check.ts', NGINX);
      expect(await workspace.runSource('check.ts')).toBe('undefined\n');
      write('opt/bin/my-bookings.js', '');
      cpSync(file('deploy/backup.sh'), file('opt/backup.sh'));
      const units = ['my-bookings.service', 'my-bookings-backup.service', 'my-bookings-backup.timer'];
      for (const unit of units.slice(0, 2))
        edit(`deploy/${unit}`, (text) =>
          text.replaceAll('/opt/my-bookings', file('opt')).replace('/usr/bin/node', process.execPath),
        );
      const verified = spawnSync('systemd-analyze', ['verify', ...units], {
        cwd: file('deploy'),
        encoding: 'utf8',
      });
      expect([verified.status, verified.stderr]).toEqual([0, '']);
    });
  });
}
