import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '@contract-kit/local-stack/testing';
import { copyWorkspace, root, type Workspace } from '@petstore/server/testing';
import { describeFirstHour } from '../adopted/first-hour.ts';

/* `npm run adopt` on copies of the workspace, with three contracts that differ in everything. */

const contracts = path.resolve(import.meta.dirname, '../adopted');
const textOf = (file: string) => readFileSync(file, 'utf8');
const sent = (body: string, type = 'application/json') => new Blob([body], { type });
const BOOKING = '/api/v3/bookings/5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a';

type Call = readonly [id: string, request: string, status: number, body?: Blob | FormData | URLSearchParams];
const upload = new FormData();
upload.set('file', sent('hello', 'image/png'), 'hello.png');

interface Adopted {
  /** Its features, and the files of its own functions. */
  readonly sources: readonly string[];
  readonly calls: readonly Call[];
}
const services: Readonly<Record<string, Adopted>> = {
  bookings: {
    sources: ['api', 'authenticate.ts', 'con-api', 'error-body.ts'],
    calls: [
      ['listBookings', 'GET /api/v3/bookings?limit=5', 200],
      [
        'createBooking',
        'POST /api/v3/bookings',
        201,
        sent('{"room":"Blue","starts":"2026-12-01T09:00:00Z"}'),
      ],
      ['getBooking', `GET ${BOOKING}`, 200],
      ['delete', `DELETE ${BOOKING}`, 204],
      ['fetch', 'GET /api/v3/rooms', 200],
    ],
  },
  notes: {
    sources: ['error-body.ts', 'notes'],
    calls: [
      ['request', 'GET /notes/?filter[tag]=a', 200],
      ['notesAdd', 'POST /notes/', 201, new URLSearchParams({ text: 'Hello' })],
      ['textOfNote', 'GET /notes/9007199254740993.txt', 200],
      ['attachFiles', 'POST /notes/1/files', 202, upload],
      ['replaceFile', 'PUT /notes/1/files', 204, sent('hello', 'application/octet-stream')],
    ],
  },
  tickets: {
    sources: ['2nd-line', 'api', 'class', 'help-desk'],
    calls: [
      ['getV2Tickets', 'GET /v2/tickets', 200],
      ['postV2Tickets', 'POST /v2/tickets', 200, sent('{"subject":{"lines":["Help"]}}')],
      ['getV2TicketsByTicketId', 'GET /v2/tickets/T-1', 200],
      ['patchV2TicketsByTicketId', 'PATCH /v2/tickets/T-1', 200, sent('{}', 'application/merge-patch+json')],
      ['headV2TicketsByTicketId', 'HEAD /v2/tickets/T-1', 204],
      ['getStatus', 'GET /status', 200],
    ],
  },
};

/** Another one each day, so that all have their turn. */
const day = Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root })) / 86_400;
const ofTheDay = Object.keys(services)[Math.floor(day) % 3];

const ALERTS = 'deploy/alerts.yml';

/** The packages whose tests adopt writes. */
const written = ['apps/server', 'packages/client', 'packages/mcp'];

const adopt = (workspace: Workspace, file: string, ...args: string[]) =>
  workspace.npm('run', '--silent', 'adopt', '--', path.resolve(contracts, file), ...args);

test('a refusal says why, and changes nothing', async () => {
  const workspace = copyWorkspace();
  await workspace.commit();
  const cookie = path.join(newFolder(), 'cookie.yaml');
  writeFileSync(
    cookie,
    textOf(path.join(contracts, 'notes.yaml')).replace('in: query, name: api', 'in: cookie, name: api'),
  );
  const refused = (reason: RegExp, ...args: [file: string, ...string[]]) =>
    expect(adopt(workspace, ...args)).rejects.toThrow(reason);
  await refused(/--name must be/, 'notes.yaml', '--name', '../up');
  for (const name of ['contract-kit', 'api', 'service'])
    await refused(/ is taken by the kit/, 'notes.yaml', '--name', name);
  await refused(/FILE and --name are needed/, 'notes.yaml');
  await refused(/cookie.yaml:\d+:\d+: .*cookie/, cookie, '--name', 'notes');
  expect(await workspace.git('status', '--porcelain')).toBe('');
  writeFileSync(workspace.file('new.txt'), '');
  await refused(/--force/, 'notes.yaml', '--name', 'notes');
});

describe.each(Object.entries(services))('%s', (contract, { sources, calls }) => {
  const name = `my-${contract}`;
  const workspace = copyWorkspace();

  beforeAll(async () => {
    await workspace.commit();
    await adopt(workspace, `${contract}.yaml`, '--name', name);
    await workspace.commit();
  });
  const expectUnchanged = async () => expect(await workspace.git('status', '--porcelain')).toBe('');

  test('is adopted once, without changes of the contract or a word of the service before', async () => {
    expect(textOf(workspace.file('openapi.yaml'))).toBe(textOf(path.join(contracts, `${contract}.yaml`)));
    const wiring = ['features.ts', 'main.ts', 'service.ts'];
    expect(readdirSync(workspace.file('apps/server/src'))).toEqual([...sources, ...wiring].sort());
    expect(await workspace.git('diff', '--stat', 'HEAD~1', '--', 'packages/kit')).toBe('');
    await expect(workspace.git('grep', '-i', 'petstore', '--', '.', ':!packages/kit')).rejects.toThrow();
    await expect(adopt(workspace, 'notes.yaml', '--name', 'other')).rejects.toThrow('already');
  });

  if (contract === ofTheDay) {
    test('takes a newer kit as ADOPTED.md says, and passes `npm run check`', async () => {
      workspace.edit(`packages/kit/server/templates/${ALERTS}.tmpl`, (text) => `# Newer.\n${text}`);
      await workspace.npm('install', '--package-lock-only', '--offline');
      await workspace.npm('run', 'generate');
      expect(await workspace.git('diff', '--name-only', '--', '.', ':!packages/kit')).toBe(`${ALERTS}\n`);
      await workspace.commit();
      await workspace.npm('run', 'check');
      await expectUnchanged();
    }, 900_000);
  } else {
    test('compiles, is up to date, and passes its tests', async () => {
      await workspace.run('scripts/kit.mjs', 'generate', '--check');
      await workspace.typecheck();
      for (const place of written) await workspace.jest(place);
    });
  }

  test('responds to each operation with an example, and to the line that it prints', async () => {
    const { origin, key, curl, stop } = await workspace.serve();
    expect(execFileSync('sh', ['-c', `${curl} -s -i`], { encoding: 'utf8' })).toMatch(
      /^HTTP\/1.1 200 OK\r$/m,
    );
    for (const [, request, status, body = null] of calls) {
      const [method = '', target = ''] = request.split(' ');
      const url = new URL(target, origin);
      if (contract === 'notes') url.searchParams.set('api_key', key);
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(url, { method, body, ...(contract === 'bookings' && { headers }) });
      expect([request, response.status, response.headers.get('x-example')]).toEqual([
        request,
        status,
        'true',
      ]);
    }
    await stop();
    expect(await workspace.petstore('keys', 'create', '--name', 'Ada')).toContain('Ada, without limits.');
    const left = (await workspace.npm('run', '--silent', 'todo')).matchAll(/:\d+ {2}(\w+) /g);
    expect([...left].map(([, id]) => id).sort()).toEqual(calls.map(([id]) => id).sort());
    await expectUnchanged();
  });

  if (contract === 'bookings') describeFirstHour(workspace);
});
