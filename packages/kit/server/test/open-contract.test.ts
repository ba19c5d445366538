import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseContract } from '@kit/tools/source-document';
import { contractOf } from '@kit/tools/contract-value';
import { startForCheck } from '../src/checking.ts';
import { notYet, type AnyHandler } from '../src/pipeline/dispatch.ts';
import type { Document } from '../src/docs/openapi.ts';
import { newFolder } from './support/folder.ts';

/* The contract in open.yaml has no plans, error codes or house rules. */

const file = path.join(import.meta.dirname, '../../tools/test/kitchen-sink/open.yaml');
const contract = contractOf(parseContract(readFileSync(file, 'utf8')), {
  name: 'shelves',
  keyPrefix: 'sh_',
  databaseFile: 'store.db',
});

/** The last input of the handler, and its next response. */
let received: Record<string, unknown> = {};
let answer: unknown;
let service: Awaited<ReturnType<typeof startForCheck>>;

beforeAll(async () => {
  const handle = (input: object) => {
    received = { ...input };
    return answer;
  };
  const handlers = Object.fromEntries(
    Object.keys(contract.operations).map((id) => [id, handle as AnyHandler]),
  );
  service = await startForCheck(contract, { dataDir: newFolder(), handlers });
});

afterAll(() => service.stop());

function request(target: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
  const credentials = { Authorization: `Bearer ${service.key}` };
  return fetch(service.origin + target, { ...init, headers: { ...credentials, ...(headers as object) } });
}

const list = (query: string) => `/api/shelves/?${query}`;
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/api/shelves/': { status: 201, headers: { 'X-Total': 1 }, body: [{ name: 'a', size: 'large' }] },
  '/api/': { status: 200, body: 'Hello' },
  '/api/keywords': { status: 200, body: {} },
  '/api/forms': { status: 204 },
};

test('every operation receives the request of its code sample', async () => {
  const folder = newFolder();
  writeFileSync(path.join(folder, 'file'), 'bytes');
  const env = { ...process.env, SHELVES_API_KEY: service.key };
  const document = (await (await fetch(`${service.origin}/openapi.json`)).json()) as Document;
  const programs: Readonly<Record<string, readonly string[]>> = {
    curl: ['sh', '-c'],
    Python: ['python3', '-c'],
  };
  for (const [target, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item))
      for (const { label, source } of operation['x-codeSamples'] ?? []) {
        const [program = '', ...args] = programs[label] ?? [];
        // The client is generated for a workspace.
        if (!program) continue;
        received = {};
        answer = ANSWERS[`/api${target}`] ?? { status: 204 };
        await promisify(execFile)(program, [...args, source], { cwd: folder, env }).catch(() => {});
        expect([method, target, label, received]).not.toEqual([method, target, label, {}]);
      }
});

test.each(['/docs', '/docs.md', '/llms.txt', '/openapi.json', '/openapi.yaml'])(
  'the contract is served at %s',
  async (page) => {
    const response = await fetch(service.origin + page);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/Open shelves/);
  },
);

test('an app may define its error bodies, and does not start if they violate the contract', async () => {
  const startWith = (title: string | number) =>
    startForCheck(contract, {
      dataDir: newFolder(),
      handlers: Object.fromEntries(Object.keys(contract.operations).map((id) => [id, notYet as AnyHandler])),
      errorBody: ({ status, message }, operationId) => ({
        title,
        status,
        detail: `${operationId}: ${message}`,
      }),
    });
  const { origin, stop } = await startWith('Ours');
  const response = await fetch(origin + list('unknown=1'), { headers: { Authorization: 'Bearer guess' } });
  expect(await response.json()).toMatchObject({
    title: 'Ours',
    detail: expect.stringMatching(/^listShelves: /) as string,
  });
  await stop();
  await expect(startWith(1)).rejects.toThrow('#/paths/~1shelves~1/get/responses/4XX');
});

test('a key without a required scope gets 403 (RFC 6750 §3.1)', async () => {
  answer = { status: 204 };
  const withKey = (key: string, query = '') =>
    fetch(`${service.origin}/api/forms${query}`, {
      method: 'POST',
      body: 'Hello',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'text/plain' },
    });
  const [none, some, all] = [await service.newKey([]), await service.newKey(['write']), service.key];
  for (const key of [none, some]) {
    const response = await withKey(key);
    expect([response.status, await response.json()]).toMatchObject([403, { title: 'insufficient_scope' }]);
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer realm="shelves", error="insufficient_scope", scope="write shelves:read"',
    );
  }
  expect((await withKey(all)).status).toBe(204);
  expect((await withKey(none, `?api_key=${none}`)).status).toBe(204);
});

test('a status in a declared range has its media type, and without plans there is no quota', async () => {
  answer = ANSWERS['/api/shelves/'];
  const { headers, status } = await request(list(''));
  expect([status, headers.get('content-type'), headers.get('x-ratelimit-limit')]).toEqual([
    201,
    'application/hal+json',
    null,
  ]);
  expect(headers.get('x-request-id')).not.toBeNull();
});

test('without plans, only addresses that send invalid keys are limited', async () => {
  const tryKey = () => fetch(service.origin + list(''), { headers: { Authorization: 'Bearer guess' } });
  const statuses: number[] = [];
  for (let count = 0; count < 65; count += 1) statuses.push((await tryKey()).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  expect((await request(list(''))).status).toBe(201);
});
