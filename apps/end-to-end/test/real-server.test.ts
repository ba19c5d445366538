import { createPetstore, type DeprecationEvent, type PetstoreOptions } from '@petstore/client';
import { startTestService, type TestService } from '@petstore/server/testing';

let service: TestService;
let apiKey: string;
let baseUrl: string;
beforeAll(async () => {
  service = await startTestService({ clock: Object.assign(() => Date.now(), { advance: () => {} }) });
  await service.addOrders([{ id: 2, status: 'shipped' }]);
  await service.addPets([{ id: 12, name: 'Rex' }]);
  apiKey = await service.unlimitedKey();
  baseUrl = `${service.origin}/v1`;
});

const client = (options: PetstoreOptions = {}) => createPetstore({ apiKey, baseUrl, ...options });

test.each<[number | bigint | string, string]>([
  [2n, 'order_already_shipped'],
  [4711, 'order_not_found'],
  ['9007199254740992', 'order_not_found'],
  ['9007199254740993', 'order_not_found'],
  ['9223372036854775807', 'order_not_found'],
])('throws an error that names the exact id: %p is %s', async (orderId, code) => {
  const message = expect.stringMatching(`\\b${orderId}\\b`) as unknown;
  const requestId = expect.stringMatching(/./) as unknown;
  const error = { name: 'ApiError', code, message, requestId, attempts: 1 };
  await expect(client().cancelOrder({ orderId })).rejects.toMatchObject(error);
});

test('responses of a deprecated operation have its dates and a link, errors too', async () => {
  const events: DeprecationEvent[] = [];
  const petstore = client({ onDeprecation: (event) => events.push(event) });
  expect(await petstore.getPet({ petId: 12 })).toEqual({ id: 12, name: 'Rex' });
  await expect(petstore.getPet({ petId: 4711 })).rejects.toMatchObject({ code: 'pet_not_found' });
  const deprecation = {
    operation: 'getPet',
    method: 'GET',
    attempt: 1,
    since: new Date('2026-11-01T00:00:00Z'),
    sunset: new Date('2027-06-30T00:00:00Z'),
    link: expect.stringContaining('</docs#getPet>; rel="deprecation"') as unknown,
  };
  expect(events).toEqual(['12', '4711'].map((id) => ({ ...deprecation, url: `${baseUrl}/pets/${id}` })));
});

test('one client cannot get its key banned, and another of the same key is refused once at most', async () => {
  const options = { apiKey: await service.key('free'), budget: 20_000 };
  for (const sends of [1, 2]) {
    const statuses: number[] = [];
    const petstore = client({ ...options, onResponse: ({ status }) => void statuses.push(status) });
    const calls = Array.from({ length: 300 }, () => petstore.listOrders());
    for (const result of await Promise.allSettled(calls))
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ name: 'RateLimitError', code: 'rate_limit_exceeded' });
    expect(statuses.filter((status) => status === 429).length).toBeLessThan(sends);
  }
});
