/**
 * What a call costs the client's process: `node client.js ORIGIN KEY ROUNDS [CLIENT]`. The clients take many short turns in each
 * round, forwards and backwards, so that none collects another's garbage; all have the same time-out.
 */
import { createPetstore } from '@petstore/client';
import type { components } from '@petstore/contract';
import createClient from 'openapi-fetch';

type Order = components['schemas']['Order'];

/** Microseconds of CPU time per call, by round. */
export interface ClientReport {
  readonly serial: Readonly<Record<string, readonly number[]>>;
  readonly concurrent: Readonly<Record<string, readonly number[]>>;
}

interface Paths {
  '/store/orders': { get: { responses: { 200: { content: { 'application/json': Order[] } } } } };
}

const TURNS = 16;
const CALLS = 64;
const TIMEOUT = 30_000;
const AT_ONCE = 16;

const [origin = '', key = '', rounds, only] = process.argv.slice(2);
const baseUrl = `${origin}/v1`;
const headers = { Authorization: `Bearer ${key}` };
const petstore = createPetstore({ baseUrl, apiKey: key, timeout: TIMEOUT });
const openapiFetch = createClient<Paths>({ baseUrl, headers });

const all: Record<string, () => Promise<unknown>> = {
  '@petstore/client': () => petstore.listOrders(),
  'openapi-fetch': async () =>
    (await openapiFetch.GET('/store/orders', { signal: AbortSignal.timeout(TIMEOUT) })).data,
  fetch: async () => {
    const response = await fetch(`${baseUrl}/store/orders`, {
      headers,
      signal: AbortSignal.timeout(TIMEOUT),
    });
    return response.json();
  },
};

const clients = Object.entries(all).filter(([name]) => only === undefined || name === only);
for (const [name, call] of clients) {
  const orders = await call();
  if (!Array.isArray(orders) || orders.length !== 10) throw new Error(`${name} did not bring ten orders`);
}

const report = { serial: {} as Record<string, number[]>, concurrent: {} as Record<string, number[]> };
for (let round = 0; round <= Number(rounds); round += 1) {
  for (const [times, atOnce] of [[report.serial, 1] as const, [report.concurrent, AT_ONCE] as const]) {
    const sums = await turns(atOnce);
    // The first round warms up.
    if (round > 0) for (const name in sums) (times[name] ??= []).push((sums[name] ?? 0) / TURNS / CALLS);
  }
}
console.log(JSON.stringify(report satisfies ClientReport));
process.exit();

async function turns(atOnce: number): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  const inTurn = [...clients];
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [name, call] of inTurn) sums[name] = (sums[name] ?? 0) + (await cpuTime(call, atOnce));
    inTurn.reverse();
  }
  return sums;
}

async function cpuTime(call: () => Promise<unknown>, atOnce: number): Promise<number> {
  const before = process.cpuUsage();
  const line = async () => {
    for (let done = 0; done < CALLS / atOnce; done += 1) await call();
  };
  await Promise.all(Array.from({ length: atOnce }, line));
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
