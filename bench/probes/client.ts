/**
 * What a call costs the client's process: `node client.js ORIGIN KEY ROUNDS [CLIENT]`. Each client has a process of its own, as
 * it has in use: in one with another, ours took a tenth more than alone, for what the other leaves to the garbage collector
 * and to the compiler. They take many short turns in each round, forwards and backwards, so that what slows the machine
 * down meets them all; all have the same time-out.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
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
const WARM_UP = 3;
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

type Turn = (atOnce: number) => Promise<number>;

if (only === undefined) await compare();
else await take(only);

/** Takes the turns that the process which compares asks for; where there is none, all of them by itself. */
async function take(name: string): Promise<void> {
  const call = all[name];
  const orders = await call?.();
  if (!call || !Array.isArray(orders) || orders.length !== 10)
    throw new Error(`${name} did not bring ten orders`);
  process.on('message', (atOnce: number) => void cpuTime(call, atOnce).then((time) => process.send?.(time)));
  process.on('disconnect', () => process.exit());
  if (process.send) return void process.send('ready');
  await measure({ [name]: (atOnce) => cpuTime(call, atOnce) });
}

async function compare(): Promise<void> {
  const turns: Record<string, Turn> = {};
  for (const name in all) {
    const child = fork(import.meta.filename, [origin, key, '', name]);
    child.on('exit', (code) => code && process.exit(code));
    await once(child, 'message');
    turns[name] = async (atOnce) => {
      child.send(atOnce);
      return ((await once(child, 'message')) as [number])[0];
    };
  }
  await measure(turns);
}

async function measure(turns: Readonly<Record<string, Turn>>): Promise<never> {
  const report = { serial: {} as Record<string, number[]>, concurrent: {} as Record<string, number[]> };
  for (let round = -WARM_UP; round < Number(rounds); round += 1) {
    for (const [times, atOnce] of [[report.serial, 1] as const, [report.concurrent, AT_ONCE] as const]) {
      const sums = await takeInTurn(turns, atOnce);
      if (round >= 0) for (const name in sums) (times[name] ??= []).push((sums[name] ?? 0) / TURNS / CALLS);
    }
  }
  console.log(JSON.stringify(report satisfies ClientReport));
  // Those that were started end with this one.
  process.exit();
}

async function takeInTurn(
  turns: Readonly<Record<string, Turn>>,
  atOnce: number,
): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  const inTurn = Object.entries(turns);
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [name, take] of inTurn) sums[name] = (sums[name] ?? 0) + (await take(atOnce));
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
