import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installPacked } from '@contract-kit/test-support';
import { newFolder, originOf, startProcess, stopAtEnd } from '@contract-kit/test-support/testing';
import { describeFirstHour } from './first-hour.ts';
import { describePages } from './pages.ts';
import { createRepository, environment, type Repository } from '../support/repository.ts';

/* What `npm run create` makes of three contracts that differ in everything. */

const contracts = import.meta.dirname;
const textOf = (file: string) => readFileSync(file, 'utf8');
const sent = (body: string, type = 'application/json') => new Blob([body], { type });
const BOOKING = '/api/v3/bookings/5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a';

type Call = readonly [id: string, request: string, status: number, body?: Blob | FormData | URLSearchParams];
const upload = new FormData();
upload.set('file', sent('hello', 'image/png'), 'hello.png');

interface Created {
  /** Its features, and the files of its functions. */
  readonly sources: readonly string[];
  /** A function of its client, and a method. */
  readonly use: readonly [create: string, method: string];
  readonly calls: readonly Call[];
}
const services = {
  bookings: {
    use: ['createMyBookings', 'listBookings'],
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
    use: ['createMyNotes', 'request'],
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
    use: ['createMyTickets', 'getV2Tickets'],
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
} satisfies Readonly<Record<string, Created>>;

/** What `generate` writes, besides what npm writes and what `create` copies. */
const GENERATED = /^(deploy|docs|vendor|packages\/(client|contract|mcp)\/(bin|src))\/|^package-lock\.json$/;

/** The repository of a service, built, packed and called as its owner would. */
export function describeCreated(contract: keyof typeof services): void {
  const { sources, use, calls }: Created = services[contract];
  const name = `my-${contract}`;
  let repository: Repository;

  beforeAll(async () => {
    repository = await createRepository(path.join(contracts, `${contract}.yaml`), name);
  });
  const expectUnchanged = async () => expect(await repository.git('status', '--porcelain')).toBe('');

  test('has at most 45 files by hand and three for each area, and the contract as it is', async () => {
    expect(textOf(repository.file('openapi.yaml'))).toBe(textOf(path.join(contracts, `${contract}.yaml`)));
    const wiring = ['features.ts', 'main.ts', 'service.ts'];
    expect(readdirSync(repository.file('apps/server/src'))).toEqual([...sources, ...wiring].sort());
    const files = (await repository.git('ls-files')).trim().split('\n');
    const areas = sources.filter((source) => !source.endsWith('.ts')).length;
    expect(files.filter((file) => !GENERATED.test(file)).length).toBeLessThanOrEqual(45 + 3 * areas);
    await expect(
      repository.git('grep', '-i', 'petstore', '--', '.', ':!vendor', ':!package-lock.json'),
    ).rejects.toThrow();
  });

  test('can be built, and its packages can be packed', async () => {
    await repository.npm('run', 'build');
    const target = newFolder();
    for (const packed of ['client', 'mcp'])
      await repository.npm('pack', '--workspace', `@${name}/${packed}`, '--pack-destination', target);
    expect(readdirSync(target)).toHaveLength(2);
    await expectUnchanged();
  });

  test('the packed client has all its types, and needs no other package', () => {
    const installed = installPacked(repository.file('packages/client'));
    const [create, method] = use;
    const source = `import { ${create} } from '@${name}/client';
      const call = ${create}().${method}();
      export const reply = call.reply();
      export const result = await call;
      // @ts-expect-error A call is not any.
      call.other();
      // @ts-expect-error Its result is not any.
      result.other.other();`;
    installed.compile({ 'use.mts': source }, { module: 'nodenext' });
    installed.remove();
  });

  test('the folder that `npm run package` makes needs nothing else', async () => {
    const folder = path.join(newFolder(), 'deployed');
    await repository.npm('run', 'package', '--', folder);
    const args = [path.join(folder, `bin/${name}.js`), 'serve', '--port', '0'];
    const service = startProcess(process.execPath, args, {
      cwd: folder,
      env: { ...environment, DATA_DIR: newFolder() },
    });
    stopAtEnd('service', () => service.kill('SIGTERM'));
    expect((await fetch(`${await originOf(service)}/readyz`)).status).toBe(200);
    await service.kill('SIGTERM');
    await expectUnchanged();
  });

  test('responds to each operation with an example, and to the line that it prints', async () => {
    const { origin, key, curl, stop } = await repository.start();
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
    const left = (await repository.npm('run', '--silent', 'todo')).matchAll(/:\d+ {2}(\w+) /g);
    expect([...left].map(([, id]) => id).sort()).toEqual(calls.map(([id]) => id).sort());
    await expectUnchanged();
  });

  describePages(() => repository, use);

  if (contract === 'bookings') describeFirstHour(() => repository);
}
