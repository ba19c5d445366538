import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { operationIds } from '@petstore/contract';
import { describeWith } from '@contract-kit/test-support';
import { petstore, root, sharedService } from '@petstore/server/testing';

interface Sample {
  readonly label: string;
  readonly source: string;
}

const execute = promisify(execFile);

/** The program that runs a sample, and its arguments before the sample. */
const PROGRAMS: Record<string, readonly [string, ...string[]]> = {
  curl: ['sh', '-c'],
  TypeScript: [process.execPath, '--import', 'tsx', '--input-type=module', '--eval'],
  Python: ['python3', '-c'],
};
// Until an operation is implemented, it responds with examples.
const service = sharedService({ demo: true });

beforeAll(async () => {
  const { orders, pets } = service.store.features;
  await petstore.features.orders.demo?.(orders);
  await petstore.features.pets.demo?.(pets);
});

/** The samples in the served document, by operationId. */
async function samples(): Promise<Record<string, readonly Sample[]>> {
  const { paths } = (await (await service.request('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { operationId: string; 'x-codeSamples': readonly Sample[] }>>;
  };
  const definitions = Object.values(paths).flatMap((item) => Object.values(item));
  return Object.fromEntries(
    definitions.map((definition) => [definition.operationId, definition['x-codeSamples']]),
  );
}

test('each operation has a sample for curl, TypeScript and Python', async () => {
  const labels = Object.values(await samples()).map((sample) => sample.map(({ label }) => label));
  expect(labels).toEqual(operationIds.map(() => Object.keys(PROGRAMS)));
});

/** Expects each sample for `label` to call its operation once, with success. */
function succeed(label: string): void {
  test.each(operationIds)('%s succeeds', async (operationId) => {
    const sample = (await samples())[operationId]?.find((one) => one.label === label);
    const [program, ...args] = PROGRAMS[label] ?? ['false'];
    const before = service.logged.length;
    await execute(program, [...args, sample?.source ?? ''], {
      cwd: path.join(root, 'packages/client'),
      env: { ...process.env, PETSTORE_API_KEY: service.suiteKey },
    });
    const calls = service.logged.slice(before).filter((line) => 'operationId' in line);
    expect(calls).toEqual([expect.objectContaining({ operationId })]);
    expect(calls[0]?.['status']).toBeLessThan(300);
  });
}

describeWith(['curl'], 'pasted into a shell', () => succeed('curl'));
describe('pasted into a module', () => succeed('TypeScript'));
describeWith(['Python'], 'pasted into Python', () => succeed('Python'));
