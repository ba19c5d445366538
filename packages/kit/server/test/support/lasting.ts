import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@contract-kit/test-support/testing';
import type { KeyRecord, KeySettings } from '../../src/keys/key-store.ts';
import { connectRaw } from '../../src/testing/raw.ts';
import { called, lasting } from '../library/lasting.ts';

/* Requests to the service of `lasting`, whose responses last, and what happens to their keys. */

const tools = lasting();
export const { startTestService, breakTable } = tools;
export type Service = Awaited<ReturnType<typeof startTestService>>;

/** A key with the scope `read`, and a second one. */
export async function newKey({ store, clock }: Service, quota = { perMinute: 1_000, perDay: 100_000 }) {
  const wanted = { name: 'test', plan: 'enterprise', owner: 'shop-1', scopes: ['read', 'more'], quota };
  return tools.createKey(store.keys, { ...wanted, now: new Date(clock()) });
}

export async function change({ store }: Service, id: string, changes: Partial<KeySettings>): Promise<void> {
  const before = (await store.keys.list()).find((record) => record.id === id) as KeyRecord;
  const event = { at: '', action: 'changed', keyId: id, actor: 'ada' } as const;
  expect(await store.keys.change(id, before, { ...before, ...changes }, event)).toBe(true);
}

export const revoke = (service: Service, id: string) => service.store.keys.revoke(id, new Date());

let requests = 0;

/** Sends a request, and waits until its handler is called. */
export async function begin(service: Service, target: string, key: string, init: RequestInit = {}) {
  const id = `request-${(requests += 1)}`;
  const before = called.length;
  const response = service.request(`/v1${target}`, { key, ...init, headers: { 'x-request-id': id } });
  await until(() => called.length > before);
  return { id, response };
}

/** The text of a response that has begun, or that it was cut. */
export async function textOrCut(response: Promise<Response>): Promise<{ readonly text: Promise<string> }> {
  const begun = await response;
  return { text: begun.text().catch(() => 'cut') };
}

/** Sends bytes, and collects what arrives. */
export function sendBytes(service: Service, bytes: string) {
  let received = '';
  const socket = connectRaw(service.origin).setEncoding('latin1');
  socket.on('data', (text: string) => (received += text));
  socket.write(bytes);
  return { socket, received: () => received };
}

export const requestOf = (method: string, target: string, key: string, headers = '') =>
  `${method} /v1${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n`;

/** The first bytes of an upload. It has begun when a later request has its response. */
export async function beginUpload(service: Service, key: string) {
  const headers = 'Content-Type: application/octet-stream\r\nContent-Length: 1000000\r\n';
  const upload = sendBytes(service, `${requestOf('POST', '/uploads', key, headers)}abc`);
  await once(upload.socket, 'connect');
  const { key: other } = await newKey(service);
  for (let times = 0; times < 3; times += 1)
    expect((await service.request('/v1/lines?unknown', { key: other })).status).toBe(400);
  return upload;
}

export const long = 'x'.repeat(100_000);

/** Long enough for several looks at responses that last. */
export const severalLooks = () => sleep(1_000);

/** Revokes a key, and lets the time pass in which that takes effect. */
export async function revokeAndWait(of: Service, id: string): Promise<void> {
  await revoke(of, id);
  of.clock.advance(5_000);
}
