import { JsonText } from '../src/http/json-text.ts';
import { askRaw } from './support/raw.ts';
import { sharedService, startTestService } from './support/service.ts';
import { numbered } from './support/store.ts';

const service = sharedService({ env: { CORS_ORIGINS: 'https://shop.example' } });

const list = (encoding: string, headers: Record<string, string> = {}) =>
  service.request('/v1/store/orders', {
    key: service.ownKey,
    headers: { ...headers, 'accept-encoding': encoding },
  });

test('a tiny body is never compressed', async () => {
  await service.addOrders([{ id: 1 }, { id: 2 }]);
  const response = await list('gzip');
  expect(response.headers.get('content-encoding')).toBeNull();
  expect(response.headers.get('vary')).toBe('Origin');
  expect(await response.json()).toEqual([{ id: 1 }, { id: 2 }]);
});

describe('a list of some kilobytes', () => {
  beforeAll(() => service.addOrders(numbered(500).map(({ id }) => ({ id: id + 9, petId: id }))));

  test.each(['gzip', 'gzip, deflate, br', 'br;q=0.5, gzip;q=0.9', '*', 'GZIP'])(
    'goes out as gzip to a client that accepts %s',
    async (encoding) => {
      const plain = await list('identity');
      const response = await list(encoding);
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(response.headers.get('vary')).toContain('Accept-Encoding');
      expect(Number(response.headers.get('content-length'))).toBeLessThan(
        Number(plain.headers.get('content-length')) / 2,
      );
      expect(await response.text()).toBe(await plain.text());
    },
  );

  test.each(['identity', 'br', 'gzip;q=0', 'identity, gzip;q=0.1', 'nonsense', ';;;,,'])(
    'goes out as it is to a client that accepts %s',
    async (encoding) => {
      const response = await list(encoding);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-encoding')).toBeNull();
      expect(response.headers.get('vary')).toContain('Accept-Encoding');
      expect(await response.json()).toHaveLength(502);
    },
  );

  test('goes out as it is where nothing was said of encodings', async () => {
    const headers = [['Authorization', `Bearer ${service.ownKey}`]] as const;
    const response = await askRaw(service.origin, { method: 'GET', target: '/v1/store/orders', headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-encoding')).toBeNull();
  });

  test('varies by Origin as well where browsers may call', async () => {
    const response = await list('gzip', { origin: 'https://shop.example' });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('vary')).toBe('Origin, Accept-Encoding');
  });

  test('has with HEAD the headers that GET has', async () => {
    const get = await list('gzip');
    const head = await service.request('/v1/store/orders', {
      key: service.ownKey,
      method: 'HEAD',
      headers: { 'accept-encoding': 'gzip' },
    });
    for (const name of ['content-encoding', 'content-length', 'vary']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    await get.arrayBuffer();
    expect(await head.text()).toBe('');
  });
});

test('a list that arrives in batches is compressed as it is written', async () => {
  const orders = Array.from({ length: 5_000 }, (_, index) => ({ id: index + 1, quantity: index }));
  async function* inBatches() {
    for (let start = 0; start < orders.length; start += 1_000) {
      yield await Promise.resolve(JSON.stringify(orders.slice(start, start + 1_000)).slice(1, -1));
    }
  }
  const streaming = await startTestService({
    handlers: { listOrders: () => ({ status: 200, body: new JsonText(inBatches()) }) },
  });
  const response = await streaming.list(await streaming.key());
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(response.headers.get('content-length')).toBeNull();
  expect(await response.json()).toEqual(orders);
});
