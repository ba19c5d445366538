import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith, mistakesInDeploy } from '@contract-kit/test-support';
import { newFolder, shared, startPostgres, startProcess } from '@contract-kit/test-support/testing';
import { output, type Repository } from '../support/repository.ts';
import { storeBookings } from './bookings.ts';

/* The first steps in a new repository, as its AGENTS.md lists them, with bookings. */

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '@contract-kit/testing';
import { service } from '../src/service.ts';

test('a room is booked once, in either database', async () => {
  const database = process.env['TEST_DATABASE'];
  for (const env of database === undefined ? [{}] : [{}, { DATABASE_URL: database }]) {
    const { request, unlimitedKey, stop } = await startTestService(service, { env });
    const key = await unlimitedKey();
    const body = JSON.stringify({ room: 'Blue', starts: '2026-12-01T09:00:00Z' });
    const headers = { 'content-type': 'application/json' };
    const book = () => request('/api/v3/bookings', { method: 'POST', key, headers, body });
    const [first, second] = [await book(), await book()];
    assert.deepEqual([first.status, second.status], [201, 409]);
    assert.equal(second.headers.get('content-type'), 'application/problem+json');
    assert.deepEqual(await (await request('/api/v3/bookings', { key })).json(), [await first.json()]);
    await stop();
  }
});

test('errors have their own shape, and holders of other tokens are known', async () => {
  const { request, stop } = await startTestService(service);
  const response = await request('/api/v3/rooms', { key: 'let-me-in' });
  const { title, status } = (await response.json()) as { title: string; status: number };
  assert.deepEqual([title, status], ['Mine', 501]);
  await stop();
});
`;
const FAKE_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMyBookings } from '@my-bookings/client';
import { createFakeMyBookings } from '@my-bookings/client/testing';

test('code that books a room is tested with the fake', async () => {
  const fake = createFakeMyBookings({ answers: { fetch: { body: ['Blue'] } } });
  const client = createMyBookings({ apiKey: 'mybook_a', baseUrl: 'https://a.example/api/v3', fetch: fake.fetch });
  assert.deepEqual(await client.fetch(), ['Blue']);
  assert.equal((await client.listBookings())[0]?.room, 'text');
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
const MOVE = `    put:
      tags: [..]
      operationId: moveBooking
      responses: { '204': { description: Moved. } }
`;

export function describeFirstHour(repositoryOf: () => Repository): void {
  const file = (name: string) => repositoryOf().file(name);
  const edit: Repository['edit'] = (name, change) => repositoryOf().edit(name, change);
  const npm: Repository['npm'] = (...args) => repositoryOf().npm(...args);
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(file(name)), { recursive: true });
    writeFileSync(file(name), text);
  };
  const handle = (change: (text: string) => string) => edit('apps/server/src/api/handlers.ts', change);

  test('a table, migrations and two handlers store bookings in both databases', async () => {
    storeBookings(repositoryOf());
    edit('apps/server/src/error-body.ts', (text) => text.replace('title: error.code', "title: 'Mine'"));
    edit('apps/server/src/authenticate.ts', (text) =>
      text.replace('() => undefined', "(token) => (token === 'let-me-in' ? { id: 'ada' } : undefined)"),
    );
    write('apps/server/test/bookings.test.ts', TEST);
    await npm('run', 'typecheck');
    await npm('test');
  });

  describeWith(['PostgreSQL'], 'PostgreSQL', () => {
    const postgres = shared(startPostgres);
    test('its tests pass on PostgreSQL too', async () => {
      const database = `TEST_DATABASE=${await postgres.createDatabase()}`;
      await output(repositoryOf().folder, 'env', database, 'npm', 'test');
    });
  });

  test('the client, its fake and the tools for agents call them', async () => {
    write('packages/client/test/fake.test.ts', FAKE_TEST);
    await npm('test');
    const { origin, key, stop } = await repositoryOf().start();
    const env = { ...process.env, MY_BOOKINGS_API_KEY: key, MY_BOOKINGS_BASE_URL: `${origin}/api/v3` };
    write('call.ts', CALL);
    const options = { cwd: repositoryOf().folder, env };
    const called = startProcess(process.execPath, ['--import', 'tsx', 'call.ts'], options);
    expect([await called.ended, called.output.stderr]).toEqual([0, '']);
    expect(called.output.stdout).toMatch(/^409 1\n.*2026-12-01T09:00:00Z.*\n$/);
    await stop();
  });

  test('a draft has no baseline before its first release', async () => {
    expect(existsSync(file('openapi.released.yaml'))).toBe(false);
    expect(await npm('run', '--silent', 'contract:diff')).toMatch(/^Nothing is released yet/);
    // As `npm run release` leaves it.
    cpSync(file('openapi.yaml'), file('openapi.released.yaml'));
  });

  test('the compiler names the callers of a changed operation, and contract:diff rates the change', async () => {
    edit('openapi.yaml', (text) => text.replace('    delete:\n', `${MOVE}    delete:\n`));
    await npm('run', 'generate');
    expect(readFileSync(file('deploy/nginx.conf'), 'utf8')).toContain('"title":"Mine"');
    await expect(npm('run', 'typecheck')).rejects.toThrow(/moveBooking/);
    handle((text) => text.replace('delete: notYet', 'moveBooking: notYet,\n    delete: notYet'));
    await expect(npm('run', 'contract:diff')).rejects.toThrow(/3\.5\.0/);
    edit('openapi.yaml', (text) => text.replace('version: 3.4.0', 'version: 3.5.0'));
    await npm('run', 'generate');
    handle((text) => text.replace("'delete'", "'moveBooking' | 'delete'"));
    await npm('run', 'typecheck');
    await npm('run', 'contract:diff');
  });

  describeWith(['nginx', 'systemd'], 'with nginx and systemd', () => {
    test('both take the files of deploy', () => {
      expect(mistakesInDeploy(newFolder(), file('deploy'))).toBeUndefined();
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
