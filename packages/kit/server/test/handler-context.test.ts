import type { IncomingHttpHeaders } from 'node:http';
import { until } from '@contract-kit/test-support/testing';
import { connectRaw } from '../src/testing/raw.ts';
import type { HandlerContext } from '../src/index.ts';
import { startTestService } from './library/service.ts';

/** A service whose cancelLoan is `handle`, with a key. */
async function startWith(handle: (input: unknown, context: HandlerContext) => unknown, env = {}) {
  const service = await startTestService({ handlers: { cancelLoan: handle }, env });
  const { key, id } = await service.keyWithId();
  const cancel = (init: RequestInit = {}) =>
    service.request('/v1/loans/1', { method: 'DELETE', key, ...init });
  return { service, key, keyId: id, cancel };
}

const waitForAbort = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

test('the log of a handler names its request, operation and key, and never has the key', async () => {
  const { service, key, keyId, cancel } = await startWith((_input, { log }) => {
    log.info({ shelf: 3 }, 'put back');
    return { status: 204 };
  });
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const response = await cancel({ headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } });
  const line = service.logged.find(({ msg }) => msg === 'put back');
  expect(line).toMatchObject({
    requestId: response.headers.get('x-request-id'),
    operationId: 'cancelLoan',
    keyId,
    traceId: trace,
    shelf: 3,
  });
  expect(JSON.stringify(service.logged)).not.toContain(key);
});

test('a handler sees the request id, undeclared headers, the address and the caller', async () => {
  const seen: Partial<Record<keyof HandlerContext, unknown>> = {};
  const { keyId, cancel } = await startWith((_input, { requestId, headers, address, caller }) => {
    Object.assign(seen, { requestId, headers, address, caller });
    return { status: 204 };
  });
  await cancel({ headers: { 'X-Request-Id': 'a-request', 'X-Tenant': 'north' } });
  expect(seen).toMatchObject({ requestId: 'a-request', address: '127.0.0.1', caller: { id: keyId } });
  expect((seen.headers as IncomingHttpHeaders)['x-tenant']).toBe('north');
});

test('the signal of a handler aborts within a second when its client has left, which is not an error', async () => {
  let abortedAt = 0;
  let started = 0;
  const { service, key } = await startWith(async (_input, { signal }) => {
    started += 1;
    return waitForAbort(signal).finally(() => (abortedAt = performance.now()));
  });
  for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
    const socket = connectRaw(service.origin);
    socket.on('error', () => undefined);
    socket.write(`DELETE /v1/loans/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    const before = started;
    await until(() => started > before);
    const left = performance.now();
    abortedAt = 0;
    socket[leave]();
    await until(() => abortedAt > 0);
    expect(abortedAt - left).toBeLessThan(1_000);
  }
  await until(() => service.messages('request').length === 3);
  expect(service.logged.filter(({ msg }) => msg === 'request')).toEqual(
    Array.from({ length: 3 }, (): unknown => expect.objectContaining({ status: 499 })),
  );
  expect(service.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

test('a signal that is first read after the client has left is aborted', async () => {
  let context: HandlerContext | undefined;
  const { service, cancel } = await startWith((_input, given) => {
    context = given;
    return new Promise(() => undefined);
  });
  const leaving = new AbortController();
  const response = cancel({ signal: leaving.signal });
  await until(() => context !== undefined);
  leaving.abort();
  await expect(response).rejects.toThrow('abort');
  await until(() => service.messages('request').length === 1);
  expect(context?.signal.aborted).toBe(true);
});

test('the signal of a handler does not abort after its response', async () => {
  let signal: AbortSignal | undefined;
  const { service, cancel } = await startWith((_input, context) => {
    ({ signal } = context);
    return { status: 204 };
  });
  await cancel({ headers: { connection: 'close' } });
  await service.stop();
  expect(signal?.aborted).toBe(false);
});

test('at the end of the grace period the signal aborts, and a handler that ignores it holds nothing up', async () => {
  const signals: AbortSignal[] = [];
  const { service, cancel } = await startWith(
    (_input, { signal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    },
    { SHUTDOWN_GRACE_SECONDS: '1' },
  );
  const response = cancel();
  await until(() => signals.length === 1);
  const stopping = service.stop();
  await expect(response).rejects.toThrow();
  await stopping;
  // The server is closed when its sockets are, which the events of their requests follow.
  await until(() => signals[0]?.aborted === true);
});
