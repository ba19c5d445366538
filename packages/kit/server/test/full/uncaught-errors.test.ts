import path from 'node:path';
import { commandsOf, newFolder, until } from '@contract-kit/test-support/testing';

/* What the code of a service throws outside of a request. */

const file = path.join(__dirname, '../library/failing.ts');
const command = commandsOf('library', ['--import', 'tsx', file]);

const serve = (env: Record<string, string> = {}) =>
  command.serve({ dataDir: newFolder(), env: { LOG_LEVEL: 'info', ...env } });
type Served = Awaited<ReturnType<typeof serve>>;

const fail = async ({ origin }: Served, how: string) =>
  expect((await fetch(`${origin}/fail/${how}`, { method: 'POST' })).status).toBe(202);

/** Resolves to the exit code, without a signal. */
const ended = ({ kill }: Served) => kill(0 as unknown as NodeJS.Signals);

const linesOf = ({ output }: Served) =>
  output.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test.each([
  ['an error in a timer', 'timer', 'the timer failed', /failInTimer.*failing\.ts/s, 'uncaughtException'],
  [
    'a promise that nobody waits for',
    'promise',
    'nobody waits for this',
    /failing\.ts/,
    'unhandledRejection',
  ],
])(
  '%s is logged with its stack; requests under way get their responses, and the exit code is 1',
  async (_, how, message, stack, origin) => {
    const server = await serve();
    const slow = fetch(`${server.origin}/slow`).then((response) => response.text());
    await until(async () => (await fetch(`${server.origin}/healthz`)).ok);
    await fail(server, how);
    expect(await slow).toBe('done');
    expect(await ended(server)).toBe(1);
    const lines = linesOf(server);
    const [fatal, ...others] = lines.filter(({ level }) => Number(level) >= 50);
    expect(others).toEqual([]);
    const err = { message, stack: expect.stringMatching(stack) as unknown };
    expect(fatal).toMatchObject({ level: 60, msg: 'an error was not caught', origin, err });
    expect(lines.at(-1)).toMatchObject({ msg: 'stopped' });
    expect(server.output.stderr).toBe(
      'library: stopped because of an error that was not caught: see the log\n',
    );
  },
);

test('a rejection that is no Error is logged too', async () => {
  const server = await serve();
  await fail(server, 'text');
  expect(await ended(server)).toBe(1);
  expect(linesOf(server)).toContainEqual(
    expect.objectContaining({
      level: 60,
      err: expect.objectContaining({ message: expect.stringContaining('no Error') as unknown }) as unknown,
    }),
  );
});

test('/metrics counts it while load balancers notice that the service stops', async () => {
  const server = await serve({ SHUTDOWN_DELAY_SECONDS: '3' });
  await fail(server, 'timer');
  await until(async () => (await fetch(`${server.origin}/readyz`)).status === 503);
  const metrics = await (await fetch(`${server.origin}/metrics`)).text();
  expect(metrics).toMatch(/^library_uncaught_errors_total 1$/m);
  expect(await ended(server)).toBe(1);
});

test('further errors do not keep the service from ending, nor does a request that never ends', async () => {
  const server = await serve({ SHUTDOWN_GRACE_SECONDS: '2' });
  const never = fetch(`${server.origin}/never`).catch((error: Error) => error.name);
  await fail(server, 'often');
  expect(await ended(server)).toBe(1);
  expect(await never).toBe('TypeError');
  const uncaught = linesOf(server).filter(({ level }) => level === 60);
  expect(uncaught.length).toBeGreaterThan(1);
  expect(server.output.stderr).toMatch(/^library: stopped because of an error that was not caught/);
});

test('a signal ends it at once then', async () => {
  const server = await serve({ SHUTDOWN_GRACE_SECONDS: '600' });
  const never = fetch(`${server.origin}/never`).catch((error: Error) => error.name);
  await fail(server, 'timer');
  await until(() => server.output.stdout.includes('"stopping'));
  expect(await server.kill('SIGTERM')).toBe(1);
  await never;
});

test('an error during a stop is logged, and the exit code is 1', async () => {
  const server = await serve({ SHUTDOWN_DELAY_SECONDS: '2', SHUTDOWN_GRACE_SECONDS: '4' });
  const code = server.kill('SIGTERM');
  await until(() => server.output.stdout.includes('"stopping'));
  await fail(server, 'timer');
  expect(await code).toBe(1);
  expect(linesOf(server)).toContainEqual(expect.objectContaining({ level: 60 }));
});
