import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { petstoreJson } from '../support/command.ts';
import { root } from '../support/workspace.ts';
import { describeWith } from '@contract-kit/test-support';
import { newFolder, startProcess, type Running, until } from '@contract-kit/test-support/testing';

/* `npm run cluster`, without its build. */

const running: Running[] = [];

function run(args: readonly string[], env: Record<string, string> = {}): Running {
  const command = ['--import', 'tsx', 'apps/server/scripts/cluster.ts', ...args];
  const started = startProcess(process.execPath, command, { cwd: root, env: { ...process.env, ...env } });
  running.push(started);
  return started;
}

interface Part {
  readonly url: string;
  readonly pid: number;
}

/** The processes of a running cluster, by name. */
async function topologyOf({ output }: Running): Promise<ReadonlyMap<string, Part>> {
  await until(() => {
    if (output.stderr.includes('cluster: ')) throw new Error(output.stderr);
    return output.stdout.includes('Ctrl-C stops it.');
  });
  const lines = output.stdout.matchAll(/^ {2}(\S.*?) +(\S+:\/\/\S+) \(pid (\d+)\)$/gm);
  return new Map([...lines].map(([, name = '', url = '', pid]) => [name, { url, pid: Number(pid) }]));
}

function isAlive({ pid }: { pid: number }): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A new Free key, created with the printed DATABASE_URL. */
async function newKey({ output }: Running): Promise<string> {
  const [, url = ''] = / DATABASE_URL=(\S+) npx --no-install petstore /.exec(output.stdout) ?? [];
  const create = ['keys', 'create', '--plan', 'free', '--name', 'test'];
  const env = { DATABASE_URL: url };
  return (await petstoreJson<{ key: string }>(create, { dataDir: '', env })).key;
}

/** How many of `count` requests with a key succeed. */
async function admittedOf(count: number, url: string, key: string): Promise<number> {
  let admitted = 0;
  for (let sent = 0; sent < count; sent += 1) {
    const { status } = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    expect([200, 429]).toContain(status);
    if (status === 200) admitted += 1;
  }
  return admitted;
}

afterAll(() => Promise.all(running.map(({ kill }) => kill('SIGTERM'))));

test('plans as many connections for an instance as it opens', async () => {
  const [script, page] = await Promise.all(
    ['apps/server/scripts/cluster.ts', 'docs/scaling.md'].map((file) =>
      readFile(path.join(root, file), 'utf8'),
    ),
  );
  const [, connections] = /20 \+ (\d+) × instances/.exec(page ?? '') ?? [];
  expect(script).toContain(`20 + ${connections} * instances`);
});

test('prints its usage for --help and for wrong arguments', async () => {
  const help = run(['--help']);
  expect([await help.ended, help.output.stderr]).toEqual([0, '']);
  expect(help.output.stdout).toMatch(/^Usage: npm run cluster/);
  const wrong = run(['--instances', '1']);
  expect([await wrong.ended, wrong.output.stdout]).toEqual([2, '']);
  expect(wrong.output.stderr).toContain('--instances');
});

test('names a missing program in one line, with its package', async () => {
  const result = run([], { PATH: '' });
  expect(await result.ended).toBe(1);
  expect(result.output.stderr).toMatch(
    /^cluster: not installed: .*Redis.* apt-get install .*redis-server.*\n$/,
  );
});

describeWith(['PostgreSQL', 'Redis', 'nginx'], 'a cluster on this machine', () => {
  test('requests spread over instances that share limits and orders, and Ctrl-C leaves nothing behind', async () => {
    const cluster = run(['--instances', '3']);
    const topology = await topologyOf(cluster);
    const [, key = '', url = ''] = /-H 'Authorization: Bearer (\S+)' (\S+)/.exec(cluster.output.stdout) ?? [];
    expect(url).toBe(`${topology.get('nginx')?.url}/v1/store/orders`);
    const headers = { authorization: `Bearer ${key}` };

    expect((await fetch(`${url}/1`, { method: 'DELETE', headers })).status).toBe(204);
    expect((await fetch(url, { headers })).status).toBe(200);
    // Without shared limits each instance would admit 60. Tried again if Redis timed out.
    await until(async () => (await admittedOf(70, url, await newKey(cluster))) === 60);
    for (const name of ['instance 1', 'instance 2', 'instance 3']) {
      const metrics = await (await fetch(`${topology.get(name)?.url}/metrics`)).text();
      expect(metrics).toMatch(/operation="listOrders"/);
    }

    const folder = /^ {2}data +(\S+)/m.exec(cluster.output.stdout)?.[1] ?? '';
    expect(existsSync(folder)).toBe(true);
    expect(await cluster.kill('SIGINT')).toBe(0);
    expect([...topology].filter(([, part]) => isAlive(part))).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  test('when an instance dies, its name is printed and the others stop', async () => {
    const cluster = run([]);
    const topology = await topologyOf(cluster);
    process.kill(topology.get('instance 2')?.pid ?? Number.NaN, 'SIGKILL');
    expect(await cluster.ended).toBe(1);
    expect(cluster.output.stderr).toMatch(/^cluster: instance 2 ended with SIGKILL: see \S+instance-2.log$/m);
    expect([...topology].filter(([, part]) => isAlive(part))).toEqual([]);
  });

  test('a signal during the start leaves nothing behind', async () => {
    const parent = newFolder();
    // PostgreSQL may run as another user.
    chmodSync(parent, 0o711);
    const cluster = run([], { TMPDIR: parent });
    let pid = 0;
    await until(async () => {
      const folder = readdirSync(parent).find((name) => name.startsWith('petstore-cluster-')) ?? '';
      const note = path.join(parent, folder, 'PostgreSQL/data/postmaster.pid');
      // The program that creates the database ends before the server starts; its number is below 0.
      pid = Number.parseInt(await readFile(note, 'utf8').catch(() => ''));
      return pid > 0;
    });
    expect([await cluster.kill('SIGTERM'), cluster.output.stderr]).toEqual([0, '']);
    expect(isAlive({ pid })).toBe(false);
  });
});
