import http from 'node:http';
import express from 'express';
import { presetPrototypes } from '../src/listener/preset-prototypes.ts';
import { responsesIn, sendRaw } from './support/raw.ts';
import { createClock, removeTestFolders, startTestService, type TestService } from './support/service.ts';

let tuned: TestService;
let plain: TestService;

beforeAll(async () => {
  const orders = [{ id: 1 }, { id: 2, quantity: 3 }, { id: 3, status: 'shipped' as const }];
  const start = async (env: Record<string, string>) => {
    const service = await startTestService({ clock: createClock(), env });
    await service.addOrders(orders);
    await service.addPets([{ id: 1, name: 'Rex' }]);
    return service;
  };
  [tuned, plain] = await Promise.all([start({}), start({ TUNING: 'off', REMEMBER_LIST: 'off' })]);
});

afterAll(async () => {
  await Promise.all([tuned.stop(), plain.stop()]);
  removeTestFolders();
});

const METHODS = ['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'TRACE'];
const TARGETS = [
  '/v1/store/orders',
  '/v1/store/orders?page=1',
  '/v1/store/orders/',
  '/v1/store/orders/1',
  '/v1/store/orders/3',
  '/v1/store/orders/4',
  '/v1/store/orders/%31',
  '/v1/store/orders/9007199254740993',
  '/v1/store/orders/1.5',
  '/v1/store/orders/..',
  '/v1/store/orders/%',
  '/v1/pets/1',
  '/v1/pets/2?a=b',
  '/v1',
  '/healthz',
  '/docs',
  '/nothing',
];
const CREDENTIALS = ['key', 'none', 'wrong', 'basic'];

async function answers(service: TestService): Promise<string[]> {
  const key = await service.key('enterprise', { perMinute: 1_000_000, perDay: 1_000_000 });
  const lines: Record<string, string> = {
    key: `Authorization: Bearer ${key}\r\n`,
    none: '',
    wrong: 'Authorization: Bearer wrong\r\nContent-Type: text/odd; a=b\r\n',
    basic: 'Authorization: Basic bearer\r\nContent-Type: application/json\r\nContent-Length: 2\r\n',
  };
  const found: string[] = [];
  for (const method of METHODS) {
    for (const target of TARGETS) {
      for (const credentials of CREDENTIALS) {
        const body = credentials === 'basic' ? '{}' : '';
        const request = `${method} ${target} HTTP/1.1\r\nHost: x\r\nX-Request-Id: same\r\n${lines[credentials]}Connection: close\r\n\r\n${body}`;
        const responses = responsesIn(await sendRaw(service.origin, request));
        const seen = await Promise.all(responses.map(asText));
        found.push([method, target, credentials, ...seen].join('\n'));
      }
    }
  }
  return found;
}

async function asText(response: Response): Promise<string> {
  response.headers.delete('date');
  const headers = [...response.headers].map((header) => header.join(': '));
  return [response.status, ...headers, await response.text()].join('\n');
}

test('tuning changes no answer', async () => {
  const [withTuning, without] = await Promise.all([answers(tuned), answers(plain)]);
  expect(withTuning).toHaveLength(METHODS.length * TARGETS.length * CREDENTIALS.length);
  expect(withTuning).toEqual(without);
});

/* The gain is gone as soon as Express sets a prototype that is not the one it finds. */
test('Express finds requests and responses with the prototypes that it sets', async () => {
  const app = express();
  const before: unknown[] = [];
  app.use((req, res) => {
    expect(Object.getPrototypeOf(req)).toBe(before[0]);
    expect(Object.getPrototypeOf(res)).toBe(before[1]);
    expect(req.get('host')).toBeDefined();
    expect([req instanceof http.IncomingMessage, res instanceof http.ServerResponse]).toEqual([true, true]);
    res.json({ ip: req.ip, query: req.query });
  });
  const server = http.createServer(presetPrototypes(app), (req, res) => {
    before.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res));
    app(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const response = await fetch(`http://127.0.0.1:${port}/?a=1`);
  expect(await response.json()).toEqual({ ip: '127.0.0.1', query: { a: '1' } });
  server.close();
  server.closeAllConnections();
});
