import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Run } from './run.ts';

const execute = promisify(execFile);

/** This checkout. */
export const root = path.resolve(import.meta.dirname, '../..');

export const LIST = '/v1/store/orders';
export const PENDING_ID = 1;
export const SHIPPED_ID = 2;
export const MISSING_ID = 999_999_999;
/** The first of the orders that a load cancels. */
export const FIRST_CANCELLED_ID = 3;

const UNLIMITED = '1000000000';

/** The settings that name the data of a service. */
export interface Place {
  readonly DATA_DIR: string;
  readonly DATABASE_URL?: string;
  readonly REDIS_URL?: string;
}

/** A filled store. */
export interface Data {
  readonly place: Place;
  readonly count: number;
  /** A key whose quota no measurement uses up. */
  readonly key: string;
  /** A key with a quota of one request per day. */
  readonly exhausted: string;
}

export function bearer(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}

/** Order 2 has shipped; all others are pending. */
export function orderNumber(id: number) {
  return {
    id,
    petId: (id * 7) % 1000,
    quantity: id % 5,
    shipDate: new Date(Date.UTC(2026, 10, 1) + id * 60_000).toISOString(),
    complete: id % 3 === 0,
  };
}

/** The script that runs the service of a checkout. */
export function petstoreIn(checkout: string): string {
  const file = path.join(checkout, 'apps/server/bin/service.js');
  // Older checkouts have another name for it.
  return existsSync(file) ? file : path.join(path.dirname(file), 'petstore.js');
}

/** The environment of a service: only the variables that find programs. */
export function environment(settings: object): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'production', ...settings };
}

/** Fills a store with the command of a checkout, because another version may have another schema. */
export async function createData(
  run: Run,
  checkout: string,
  count: number,
  place: Place = { DATA_DIR: path.join(run.folder, `data-${crypto.randomUUID()}`) },
): Promise<Data> {
  mkdirSync(place.DATA_DIR, { recursive: true });
  const petstore = async (...args: string[]) => {
    const options = { env: environment(place) };
    const { stdout } = await execute(process.execPath, [petstoreIn(checkout), ...args], options);
    return stdout.trim();
  };
  const createKey = (name: string, perDay: string) => {
    const quota = ['--per-minute', UNLIMITED, '--per-day', perDay];
    return petstore('keys', 'create', '--quiet', '--name', name, '--plan', 'enterprise', ...quota);
  };
  await petstore('orders', 'import', ordersFile(run, count));
  return {
    place,
    count,
    key: await createKey('load', UNLIMITED),
    exhausted: await createKey('exhausted', '1'),
  };
}

function ordersFile({ folder }: Run, count: number): string {
  const file = path.join(folder, 'orders.ndjson');
  const lines = Array.from({ length: count }, (_, index) => {
    const order = orderNumber(index + 1);
    return JSON.stringify({ ...order, status: order.id === SHIPPED_ID ? 'shipped' : 'pending' });
  });
  writeFileSync(file, lines.join('\n'));
  return file;
}

/** The same SQLite store again, for another server. */
export function copyData(data: Data, name: string): Data {
  const DATA_DIR = `${data.place.DATA_DIR}-${name}`;
  cpSync(data.place.DATA_DIR, DATA_DIR, { recursive: true });
  return { ...data, place: { DATA_DIR } };
}

/** The SQLite file, or the URL of the PostgreSQL database. */
export function databaseOf({ place: { DATA_DIR, DATABASE_URL } }: Data): string {
  return DATABASE_URL ?? path.join(DATA_DIR, 'petstore.db');
}
