import { expectError } from './support/expect.ts';
import { startTestService, type TestService } from './support/service.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  key = await service.key();
  await service.addPets([{ id: 1, name: 'Rex' }, { id: 2 }]);
});

const getPet = (id: string, init: RequestInit & { key?: string } = { key }) =>
  service.request(`/v1/pets/${id}`, init);

function expectDeprecation({ headers }: Response): void {
  // 2026-11-01 and 2027-06-30, as RFC 9745 and RFC 8594 write them.
  expect(headers.get('deprecation')).toBe('@1793491200');
  expect(headers.get('sunset')).toBe('Wed, 30 Jun 2027 00:00:00 GMT');
  expect(headers.get('link')).toMatch(/<[^>]+>; rel="deprecation".*, <[^>]+>; rel="sunset"/);
}

test('a pet is its id and its name', async () => {
  const response = await getPet('1');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ id: 1, name: 'Rex' });
  expectDeprecation(response);
});

test('a pet without a name has none', async () => {
  expect(await (await getPet('2')).json()).toEqual({ id: 2 });
});

test('HEAD is GET without the body', async () => {
  const response = await getPet('1', { key, method: 'HEAD' });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-length')).toBe('21');
  expectDeprecation(response);
});

test('a pet that does not exist is 404, and says that the operation is deprecated', async () => {
  for (const id of ['3', '0', '-1', '9223372036854775807']) {
    const response = await getPet(id);
    expectDeprecation(response);
    await expectError(response, 'pet_not_found');
  }
});

test('a malformed id is 400, and says that the operation is deprecated', async () => {
  for (const id of ['01', 'abc', '1.0', '9223372036854775808', '1?page=2']) {
    const response = await getPet(id);
    expectDeprecation(response);
    await expectError(response, 'invalid_request');
  }
});

test('an id that is not percent-encoded correctly is 400, and says that the operation is deprecated', async () => {
  for (const id of ['%', '%zz', '%c3%28']) {
    const response = await getPet(id);
    expectDeprecation(response);
    await expectError(response, 'invalid_request');
  }
});

test('without a key it is 401, and says that the operation is deprecated', async () => {
  const response = await getPet('1', {});
  expectDeprecation(response);
  await expectError(response, 'unauthorized');
});

test('a refused request says that the operation is deprecated', async () => {
  const limited = await service.key('enterprise', { perMinute: 9, perDay: 1 });
  await getPet('1', { key: limited });
  const response = await getPet('1', { key: limited });
  expectDeprecation(response);
  await expectError(response, 'rate_limit_exceeded');
});

test('other operations are not deprecated', async () => {
  const { headers } = await service.request('/v1/store/orders', { key });
  expect([headers.get('deprecation'), headers.get('sunset'), headers.get('link')]).toEqual([
    null,
    null,
    null,
  ]);
});
