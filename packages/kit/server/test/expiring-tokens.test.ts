import { setTimeout as sleep } from 'node:timers/promises';
import { shared, until } from '@contract-kit/test-support/testing';
import type { Identity } from '../src/index.ts';
import { createClock } from '../src/testing/service.ts';
import { called, lasting } from './library/lasting.ts';
import { logLine } from './library/streaming.ts';

/* Tokens that expire, of which `authenticate` says when. */

const MINUTE = 60_000;
/** The holder of the next token. */
let identity: Identity;
let asked = 0;
const { startTestService } = lasting(() => {
  asked += 1;
  return identity;
});
const monotonic = createClock(0);
const service = shared(() => startTestService({ monotonic }));

beforeEach(() => {
  asked = 0;
  identity = { id: `user:${Math.random()}`, plan: 'pro', scopes: ['read'] };
});

/** Time passes. */
function pass(milliseconds: number): void {
  service.clock.advance(milliseconds);
  monotonic.advance(milliseconds);
}

/** A date so many milliseconds from now. */
const soon = (milliseconds: number) => new Date(service.clock() + milliseconds);
/** Long enough for several looks at responses that last. */
const severalLooks = () => sleep(700);

/** Begins events with the token of `identity`. */
async function begin(requestId: string, target = '/v1/events') {
  const before = called.length;
  const headers = { 'x-request-id': requestId };
  const response = service.request(target, { key: 'a-token', headers });
  await until(() => called.length > before);
  const { status, body } = await response;
  const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream());
  let text = '';
  const ended = (async () => {
    for await (const part of reader) text += part;
    return text;
  })().catch(() => 'cut');
  return { status, ended, isOpen: () => !service.logged.some((line) => line['requestId'] === requestId) };
}

test('a stream ends when its token expires, and authenticate is not asked again', async () => {
  identity = { ...identity, expiresAt: soon(30 * MINUTE) };
  const { status, ended, isOpen } = await begin('expiring');
  const lines = await begin('expiring-lines', '/v1/lines');
  pass(29 * MINUTE);
  await severalLooks();
  expect([status, isOpen(), asked]).toEqual([200, true, 2]);
  pass(MINUTE);
  expect(await ended).toMatch(/retry: 1000\n\n$/);
  expect(await lines.ended).toBe('cut');
  expect(await logLine(service, 'expiring')).toMatchObject({ status: 200, code: 'unauthorized' });
  expect(await logLine(service, 'expiring-lines')).toMatchObject({ status: 401, code: 'unauthorized' });
  expect(asked).toBe(2);
});

test('a clock that steps back does not prolong a stream, and one that steps forward ends it', async () => {
  identity = { ...identity, expiresAt: soon(30 * MINUTE) };
  const first = await begin('back');
  service.clock.advance(-60 * MINUTE);
  pass(29 * MINUTE);
  await severalLooks();
  expect(first.isOpen()).toBe(true);
  pass(MINUTE);
  expect(await first.ended).toMatch(/retry: 1000\n\n$/);
  identity = { ...identity, expiresAt: soon(30 * MINUTE) };
  const second = await begin('forward');
  service.clock.advance(60 * MINUTE);
  monotonic.advance(5_000);
  expect(await second.ended).toMatch(/retry: 1000\n\n$/);
});

test('without an end, and with one that is further away than a timer can wait, it does not end', async () => {
  const first = await begin('no-end');
  identity = { ...identity, expiresAt: new Date(8.64e15) };
  const second = await begin('far-end');
  pass(365 * 24 * 60 * MINUTE);
  await severalLooks();
  expect([first.isOpen(), second.isOpen()]).toEqual([true, true]);
});

test.each([0, -1, -365 * 24 * 60 * MINUTE])(
  'a token that expired %d ms from now is rejected',
  async (when) => {
    identity = { ...identity, expiresAt: soon(when) };
    const response = await service.request('/v1/lines', { key: 'a-token' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error_description="The token has expired."');
    expect(await response.json()).toMatchObject({ message: 'The token has expired.' });
  },
);

test.each([
  ['seconds since 1970', 1_795_262_400],
  ['a text', '2027-01-01T00:00:00Z'],
  ['no valid Date', new Date(NaN)],
  ['null', null],
])('%s as expiresAt is a mistake of the service, which the log names', async (_, expiresAt) => {
  identity = { ...identity, expiresAt: expiresAt as Date };
  expect((await service.request('/v1/lines', { key: 'a-token' })).status).toBe(500);
  expect(JSON.stringify(service.logged)).toContain(`expiresAt of ${identity.id} is not a valid Date`);
});

test('a handler of a GET that waits when its token expires gets 401, which says why', async () => {
  identity = { ...identity, expiresAt: soon(MINUTE) };
  const before = called.length;
  const response = service.request('/v1/wait', { key: 'a-token' });
  await until(() => called.length > before);
  pass(MINUTE);
  expect(await (await response).json()).toMatchObject({ status: 401, message: 'The token has expired.' });
});

test('a holder that is banned loses its streams', async () => {
  identity = { ...identity, plan: 'enterprise', quota: { perMinute: 2, perDay: 100 } };
  const { ended } = await begin('banned');
  for (let times = 0; times < 4; times += 1) await service.request('/v1/lines?unknown', { key: 'a-token' });
  pass(5_000);
  expect(await ended).toMatch(/retry: 1000\n\n$/);
  expect(await logLine(service, 'banned')).toMatchObject({ code: 'api_key_banned' });
});
