import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseContract } from '@contract-kit/core/openapi';
import { connectRaw, responsesIn, sendRaw, startForCheck } from '@contract-kit/server/internals';
import { newFolder } from '@contract-kit/test-support/testing';
import { NAMES } from '../../src/check/check-file.ts';
import { checkedOf } from '../../src/check/checked.ts';
import { requestIn, type Row } from '../kitchen-sink/table.ts';

/*
 * Every body of the kitchen sink, cut and damaged at every byte: forms, JSON, text and files. Each complete request gets
 * one response, so that a proxy has nothing to repeat, and no request ends the process: Jest fails a test with an uncaught
 * error.
 */

const folder = path.join(import.meta.dirname, '../kitchen-sink');
const rowsIn = (file: string) => jest.requireActual<{ rows: readonly Row[] }>(`../kitchen-sink/${file}`).rows;
const rows = ['rows.ts', 'unusual.ts', 'newest.ts', 'bodies.ts', 'supported.ts'].flatMap(rowsIn);
const FILES = [
  ...['openapi.yaml', 'open.yaml', 'behind.yaml', 'unusual.yaml', 'newest.yaml', 'bodies.yaml'],
  'supported.yaml',
];

/** The most bytes of a body that is cut everywhere. */
const MOST_BYTES = 1_000;
/** Requests on one connection. */
const BATCH = 200;

const bodies = rows.flatMap((row) =>
  (row.sent ?? [])
    .filter((text) => text.includes('\n\n') && text.length < MOST_BYTES)
    .map((text) => ({ what: `${row.operation}: ${row.feature}`, row, text })),
);

type Service = Awaited<ReturnType<typeof startForCheck>>;
const services: Record<string, Service> = {};
/** The last row's, by the file of its contract. */
const answers: Record<string, object> = {};

beforeAll(async () => {
  for (const file of FILES) {
    const text = readFileSync(path.join(folder, '../../../../test-support/kitchen-sink', file), 'utf8');
    const { value, errors } = checkedOf(parseContract(text), NAMES);
    const handlerOf = () => () => answers[file] as { status: number };
    services[file] = await startForCheck(value, {
      dataDir: newFolder(),
      handlerOf,
      ...(errors && { errorBody: errors.errorBody }),
    });
  }
});

afterAll(() => Promise.all(Object.values(services).map((service) => service.stop())));

/** The bytes of a request with another body, of which `announced` are announced. */
function bytesOf(row: Row, text: string, key: string, body: string, announced = body.length): string {
  const { method, target, headers } = requestIn(row, text, key);
  // A request with the same Idempotency-Key would be a repeat.
  const all = headers.map(([name, value]) => [name, /^idempotency-key$/i.test(name) ? randomUUID() : value]);
  const lines = [...all, ['Host', 'a'], ['Content-Length', String(announced)]].map((line) => line.join(': '));
  return `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

const LAST = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** The statuses of the responses to requests, one for each. */
async function statusesOf(origin: string, requests: readonly string[]): Promise<Set<number>> {
  const seen = new Set<number>();
  for (let at = 0; at < requests.length; at += BATCH) {
    const batch = requests.slice(at, at + BATCH);
    const responses = responsesIn(await sendRaw(origin, batch.join('') + LAST));
    expect(responses).toHaveLength(batch.length + 1);
    expect(responses.pop()?.status).toBe(200);
    for (const { status } of responses) seen.add(status);
  }
  return seen;
}

const isUnexpected = (status: number) => status >= 500 || [404, 405, 408, 429].includes(status);
const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));

describe.each(bodies)('$what', ({ row, text }) => {
  const body = text.split('\n\n').slice(1).join('\n\n');
  let service: Service;
  beforeAll(() => {
    service = services[row.contract] as Service;
    answers[row.contract] = row.answer;
  });
  const sent = (changed: string, announced?: number) => bytesOf(row, text, service.key, changed, announced);

  test('cut at any byte, or with any byte damaged', async () => {
    const cuts = times(body.length, (length) => body.slice(0, length));
    const damaged = times(body.length, (at) =>
      ['', '"', '\0', '\r', '\xff'].map((byte) => body.slice(0, at) + byte + body.slice(at + 1)),
    ).flat();
    const statuses = await statusesOf(
      service.origin,
      [body, ...cuts, ...damaged].map((item) => sent(item)),
    );
    expect([...statuses].filter(isUnexpected)).toEqual([]);
  });

  test('of a client that leaves at any byte', async () => {
    for (const length of times(body.length, (index) => index)) {
      const socket = connectRaw(service.origin).resume();
      const closed = new Promise((resolve) => socket.once('close', resolve));
      const bytes = sent(body.slice(0, length), body.length);
      if (length % 2 === 0) socket.end(bytes, 'latin1');
      else socket.write(bytes, 'latin1', () => socket.resetAndDestroy());
      await closed;
    }
    const { size } = await statusesOf(service.origin, [sent(body)]);
    expect(size).toBe(1);
  });
});
