import { readFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder, originOf, startProcess, stopAtEnd } from '@contract-kit/test-support/testing';
import { root } from '@petstore/server/testing';
import { create, environment, output } from '../support/repository.ts';

/*
 * GitHub's contract: 13 MB of JSON, 1,223 operations. It is installed here, and no dependency. What works is asserted; how
 * long it took, and the memory, are printed, for bench/RESULTS.md.
 */

jest.setTimeout(3_600_000);

const PACKAGE = '@octokit/openapi@23.0.2';
const PAGE_LIMIT = 500_000;

const folder = newFolder();
const repository = path.join(folder, 'my-github');
const contract = path.join(folder, 'node_modules/@octokit/openapi/generated/api.github.com.json');
const figures: string[] = [];

async function timed<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  figures.push(`${step}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

/** In megabytes, by the metrics of a service. */
async function memoryOf(origin: string): Promise<string> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const [, bytes] = /^process_resident_memory_bytes (\S+)/m.exec(metrics) ?? [];
  return `${Math.round(Number(bytes) / 1e6)} MB`;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

beforeAll(() =>
  output(folder, 'npm', 'install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, PACKAGE),
);

afterAll(() => console.log(figures.join('\n')));

test('check tries every operation', async () => {
  const program = path.join(root, 'node_modules/.bin/contract-kit');
  const told = await timed('check', () => output(root, program, 'check', contract));
  expect(told.split('\n', 1)[0]).toMatch(/: works/);
});

test('create makes a repository whose types compile and whose tests pass', async () => {
  await timed('create, without install', () => create(repository, '--contract', contract, '--no-install'));
  await output(repository, 'npm', 'install', '--no-audit', '--no-fund');
  await timed('npm run typecheck', () => output(repository, 'npm', 'run', 'typecheck'));
  await timed('npm test', () => output(repository, 'npm', 'test'));
});

test('its service responds to every operation, and has a page of each tag', async () => {
  const { paths } = JSON.parse(readFileSync(contract, 'utf8')) as { paths: Record<string, object> };
  const operations = Object.entries(paths).flatMap(([template, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({ method: method.toUpperCase(), template })),
  );
  await timed('build', () => output(repository, 'npm', 'run', 'build'));
  const start = performance.now();
  const service = startProcess(
    process.execPath,
    ['apps/server/bin/service.js', 'serve', '--demo', '--port', '0'],
    { cwd: repository, env: environment },
  );
  stopAtEnd('service', () => service.kill('SIGTERM'));
  const origin = await originOf(service);
  await fetch(`${origin}/readyz`);
  figures.push(`ready: ${((performance.now() - start) / 1000).toFixed(1)} s`);

  const statuses = new Map<number, number>();
  let slowest = 0;
  for (const { method, template } of operations) {
    const asked = performance.now();
    const response = await fetch(origin + template.replaceAll(/\{[^}]*\}/g, '1'), {
      method,
      redirect: 'manual',
    });
    await response.arrayBuffer();
    slowest = Math.max(slowest, performance.now() - asked);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  }
  figures.push(
    `slowest first request: ${Math.round(slowest)} ms; by status: ${JSON.stringify([...statuses])}`,
  );
  figures.push(`memory after ${operations.length} operations: ${await memoryOf(origin)}`);
  expect([...statuses.keys()].filter((status) => status >= 500 && status !== 501)).toEqual([]);

  const index = await fetch(`${origin}/docs/search.json`, { headers: { 'accept-encoding': 'gzip' } });
  const { pages } = (await index.json()) as { pages: string[] };
  figures.push(`search index: ${Math.round(Number(index.headers.get('content-length')) / 1000)} kB`);
  let largest = 0;
  for (const place of pages) {
    const response = await fetch(origin + place);
    const { length } = Buffer.from(await response.arrayBuffer());
    largest = Math.max(largest, length);
    expect([place, response.status, length < PAGE_LIMIT]).toEqual([place, 200, true]);
  }
  figures.push(`${pages.length} pages, the largest of ${Math.round(largest / 1000)} kB`);
});
