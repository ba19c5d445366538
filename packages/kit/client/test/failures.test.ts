import { createServer } from 'node:net';
import {
  ApiError,
  ConnectionError,
  CallError,
  RateLimitError,
  TimeoutError,
  type Options,
} from '../src/index.ts';
import { client, listen, refuseAll, rejection, server, startServer } from './support/served.ts';

const failureOf = async (options: Options) => (await rejection(client(options).listLoans())) as CallError;

test.each([new TypeError('fetch failed'), undefined, Symbol('x'), Object.freeze(new Error('x'))])(
  'a fetch that rejects with %p is a ConnectionError, and is retried',
  async (reason) => {
    const fetch = jest.fn<Promise<Response>, []>().mockRejectedValue(reason);
    expect(await failureOf({ fetch })).toMatchObject({ name: 'ConnectionError', attempts: 4 });
  },
);

test('a refused connection names the port', async () => {
  const closedServer = createServer();
  const host = await listen(closedServer);
  closedServer.close();
  expect(await failureOf({ baseUrl: `http://${host}/v1` })).toMatchObject({
    message: `listLoans: no response from http://${host}/v1/loans: connect ECONNREFUSED ${host}`,
    method: 'GET',
    url: `http://${host}/v1/loans`,
    attempts: 4,
  });
});

test.each([
  [{ timeout: 5 }, 'timeout of 5 ms', ''],
  [{ timeout: 100 }, 'timeout of 100 ms', '['],
  [{ budget: 20 }, 'budget of 20 ms', ''],
])('a TimeoutError names the limit, also while a body is read: %j', async (limits, limit, body) => {
  await startServer((_request, response) => void response.write(body));
  const message = `listLoans: no response within the ${limit}`;
  expect(await failureOf({ ...limits, maxAttempts: 1 })).toMatchObject({ name: 'TimeoutError', message });
});

test('a 404 suggests /v1 if baseUrl lacks it', async () => {
  await refuseAll(404, 'not_found');
  const baseUrl = server.baseUrl.replace('/v1', '');
  const message = 'listLoans: 404 not_found: It is not_found.';
  expect((await failureOf({ baseUrl })).message).toBe(`${message} Does baseUrl end in /v1?`);
  expect((await failureOf({})).message).toBe(message);
});

test('an endless body is cut off', async () => {
  const chunk = Buffer.alloc(2 ** 20, ' ');
  await startServer((_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  });
  expect(await failureOf({ timeout: 300_000, budget: 300_000 })).toMatchObject({
    name: 'UnexpectedReplyError',
    message: 'listLoans: the response is not UTF-8, or longer than 256 MiB',
    attempts: 1,
  });
});

test('an error is an instance of all its classes', () => {
  const details = { code: 'x', attempts: 1 };
  const error = new RateLimitError('', details);
  for (const Class of [RateLimitError, ApiError, CallError]) expect(error).toBeInstanceOf(Class);
  expect([error.name, new TimeoutError('', details).name]).toEqual(['RateLimitError', 'TimeoutError']);
  expect(error).not.toBeInstanceOf(ConnectionError);
});
