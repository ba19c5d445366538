import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from '@contract-kit/test-support/testing';
import { mainOf, namedIn, snippetsIn, withPage } from '../support/page-service.ts';

/* Every snippet of docs/guide/files.md and docs/guide/safe-repeats.md, as a service and its client: they compile, and do what the pages say. */

const run = promisify(execFile);

test('the service of docs/guide/files.md compiles and does what the page says', async () => {
  const rest = {
    'photos/store.ts': `import type { Database } from '@contract-kit/server';

interface Photo {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer());

export const createPhotoStore = ({ query }: Database) => ({
  async add(album: string, file: File) {
    const sql = 'INSERT INTO photos (album, name, type, bytes) VALUES ($1, $2, $3, $4) RETURNING id';
    const [row] = await query<Photo>(sql, [album, file.name, file.type, await bytesOf(file)]);
    if (!row) throw new Error('no row was returned');
    return row.id;
  },
  find: async (id: number) => (await query<Photo>('SELECT * FROM photos WHERE id = $1', [id]))[0],
  replace: async (id: number, file: File) =>
    query('UPDATE photos SET type = $1, bytes = $2 WHERE id = $3', [file.type, await bytesOf(file), id]),
  named: (album: string) => query<Photo>('SELECT name FROM photos WHERE album = $1 ORDER BY id', [album]),
});
export type PhotoStore = ReturnType<typeof createPhotoStore>;
`,
    'photos/feature.ts': `import path from 'node:path';
import type { Feature, Services } from '@contract-kit/server';
import { albumHandlers } from './albums.ts';
import { photoHandlers } from './handlers.ts';
import { createPhotoStore, type PhotoStore } from './store.ts';
const handlers = (services: Services<PhotoStore>) => ({ ...photoHandlers(services), ...albumHandlers(services) });
export const photos: Feature<PhotoStore, ReturnType<typeof handlers>> = {
  migrations: path.join(import.meta.dirname, 'migrations'),
  open: createPhotoStore,
  handlers,
};
`,
    'photos/migrations/sqlite/0001-photos.sql':
      'CREATE TABLE photos (id integer PRIMARY KEY, album text NOT NULL, name text NOT NULL, type text NOT NULL, bytes blob NOT NULL);\n',
    'main.ts': mainOf('Photos', '{ photos }', "import { photos } from './photos/feature.ts';"),
  };
  await withPage(
    'files',
    'photos',
    { ...namedIn('files'), ...rest },
    async ({ folder, env, key, origin, stdout }) => {
      writeFileSync(path.join(folder, 'cat.png'), 'four');
      writeFileSync(path.join(folder, 'cat.jpg'), 'fifth');
      const client = await run(process.execPath, ['--import', 'tsx', 'client.ts'], { cwd: folder, env });
      expect(client.stdout).toBe('5 image/jpeg attachment; filename="cat.png"\n');
      const [curl = '', ...others] = snippetsIn('files', 'sh');
      expect(others).toEqual([]);
      expect((await run('sh', ['-c', `${curl.trim()} --silent`], { cwd: folder, env })).stdout).toBe('[2,3]');
      await until(() => stdout().includes('"names":["cat.png","cat.jpg"],"msg":"photos arrived"'));

      const ask = (target: string, init: RequestInit = {}) =>
        fetch(origin + target, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
      const send = async (fill: (form: FormData) => void) => {
        const body = new FormData();
        body.append('album', 'birds');
        fill(body);
        const response = await ask('/photos', { method: 'POST', body });
        return [response.status, await response.json()];
      };
      const file = (name: string, type: string, text = 'x') => new File([text], name, { type });
      expect(
        await send((form) => {
          form.append('files', file('a.png', 'image/png'));
          form.append('files', file('b.html', 'text/html'));
          form.append('licence', file('c.txt', 'text/plain'));
        }),
      ).toMatchObject([
        400,
        { message: 'body/files/1 must be image/png or image/jpeg, not text/html, and 1 more violation.' },
      ]);
      expect(await send(() => undefined)).toMatchObject([400, {}]);
      // A browser's form, whose user has chosen no licence.
      expect(
        await send((form) => {
          form.append('files', file('É "1".png', 'image/png', ''));
          form.append('licence', file('', 'application/octet-stream', ''));
        }),
      ).toEqual([201, [4]]);
      const empty = await ask('/photos/4');
      expect([empty.status, empty.headers.get('content-type'), await empty.text()]).toEqual([
        200,
        'image/png',
        '',
      ]);
      expect(empty.headers.get('content-disposition')).toBe(
        `attachment; filename="_ _1_.png"; filename*=UTF-8''%C3%89%20%221%22.png`,
      );

      const album = async (accept?: string) => {
        const response = await ask('/albums/cats', accept === undefined ? {} : { headers: { accept } });
        return [response.status, response.headers.get('content-type'), await response.text()];
      };
      const csv = [200, 'text/csv', 'name\n"cat.png"\n"cat.png"\n"cat.jpg"\n'];
      expect(await album()).toEqual(csv);
      expect(await album('application/x-ndjson;q=0.4, text/*;q=0.5')).toEqual(csv);
      expect((await album('application/x-ndjson, */*;q=0.1'))[1]).toBe('application/x-ndjson');
      expect((await album('image/png'))[0]).toBe(406);
    },
  );
}, 120_000);

test('the service of docs/guide/safe-repeats.md compiles and does what the page says', async () => {
  const [feature = '', client = '', ...others] = snippetsIn('safe-repeats', 'ts');
  expect(others).toEqual([]);
  const own = {
    'payments.ts': feature,
    'client.ts': client,
    'migrations/sqlite/0001-payments.sql':
      'CREATE TABLE payments (id integer PRIMARY KEY, amount integer NOT NULL);\n',
    'main.ts': mainOf('Payments', '{ payments }', "import { payments } from './payments.ts';"),
  };
  await withPage('safe-repeats', 'payments', own, async ({ folder, env, key, origin }) => {
    const { stdout } = await run(process.execPath, ['--import', 'tsx', 'client.ts'], { cwd: folder, env });
    expect(stdout).toBe('1 2 2\n');
    const pay = async (amount: number) => {
      const response = await fetch(`${origin}/payments`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': '5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a',
        },
        body: JSON.stringify({ amount }),
      });
      return [response.status, await response.json()];
    };
    expect(await pay(250)).toEqual([201, { id: 2, amount: 250 }]);
    expect(await pay(251)).toMatchObject([422, { code: 'idempotency_key_reused' }]);
  });
}, 120_000);
