import { execFile } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { pathOf } from '@contract-kit/test-support';
import Database from 'better-sqlite3';
import { bearer, databaseOf, LIST, type Data } from './data.ts';
import { exchange, type Request } from './exchange.ts';
import { pinned } from './machine.ts';
import type { Row } from './rows.ts';
import { programOf, type Server } from './server.ts';
import { runSql } from './stores.ts';

const execute = promisify(execFile);

export const CONNECTIONS = 16;

/** A server with the data that it serves. */
export interface Subject {
  readonly server: Server;
  readonly data: Data;
}

export interface Sample {
  readonly requests: number;
  readonly perSecond: number;
  /** CPU time of the server per request, in microseconds. */
  readonly cpu: number;
}

interface Report {
  readonly requests: number;
  readonly seconds: number;
  /** Responses with a status of 400 or above. */
  readonly refused: number;
  /** Requests without a response. */
  readonly broken: number;
}

/** What is sent to a server, and the status that it responds with. */
export interface Load {
  readonly request: Request;
  readonly status: number;
  /** How the requests vary: see load.lua. */
  readonly variation?: readonly string[] | undefined;
}

/** Loads a server over 16 connections, each with one request at a time. Throws if a response is not as expected. */
export async function measureLoad(server: Server, load: Load, seconds: number): Promise<Sample> {
  const before = server.cpuTime();
  const { requests, refused, broken, ...report } = await runWrk(server, load, seconds);
  const cpu = (server.cpuTime() - before) / requests;
  if (broken > 0 || refused !== (load.status < 400 ? 0 : requests)) {
    throw new Error(
      `${server.name}: of ${requests} requests ${refused} were refused and ${broken} got no response`,
    );
  }
  // wrk counts only whether a status is below 400.
  const { status } = await exchange(server.origin, load.request);
  if (status !== load.status)
    throw new Error(`${server.name} responds with ${status}, not with ${load.status}`);
  return { requests, perSecond: requests / report.seconds, cpu };
}

async function runWrk({ origin }: Server, { request, variation }: Load, seconds: number): Promise<Report> {
  const { method, target, headers, body } = request;
  const [file, args] = pinned('load', pathOf('wrk'), [
    '--threads=1',
    `--connections=${CONNECTIONS}`,
    `--duration=${seconds}s`,
    '--timeout=30s',
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    '--script',
    path.join(import.meta.dirname, 'load.lua'),
    `${origin}${target}`,
    '--',
    method,
    ...(variation ?? (body === undefined ? [] : ['body', body])),
  ]);
  const { stdout } = await execute(file, args);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Report;
}

/** Requests until V8 has compiled the hot paths, for at most five seconds. */
const WARM_UP = { requests: 20_000, seconds: 1, times: 5 };

export async function warmUp(apply: (seconds: number) => Promise<Sample>): Promise<void> {
  let requests = 0;
  for (let times = 0; requests < WARM_UP.requests && times < WARM_UP.times; times += 1) {
    requests += (await apply(WARM_UP.seconds)).requests;
  }
}

/** Loads a server of orders. */
export async function applyLoad(row: Row, { server, data }: Subject, seconds: number): Promise<Sample> {
  const stopChanging = row.isChanging ? await startChanging(data) : undefined;
  const load = { request: row.request(data), status: row.status, variation: row.variation };
  const sample = await measureLoad(server, load, seconds);
  await stopChanging?.();
  if (row.cancels) await undoCancels(data);
  return sample;
}

/** Warms up a server of orders. */
export async function warmUpOrders(row: Row, subject: Subject): Promise<void> {
  const { server, data } = subject;
  // Uses up the quota of this key.
  await exchange(server.origin, { method: 'GET', target: LIST, headers: bearer(data.exhausted) });
  await warmUp((seconds) => applyLoad(row, subject, seconds));
}

/** Keeps changing an order, as a command of the operator may. Returns a function that stops it. */
async function startChanging(data: Data): Promise<() => Promise<unknown>> {
  const worker = new Worker(programOf('changes'), { workerData: databaseOf(data) });
  await once(worker, 'message');
  return () => worker.terminate();
}

const UNDO =
  "UPDATE orders SET status = 'pending', cancelled_by = NULL, cancelled_at = NULL WHERE status = 'cancelled'";

/** Makes cancelled orders pending again, so that every round cancels the same ones of a store of the same size. */
async function undoCancels(data: Data): Promise<void> {
  const { DATABASE_URL } = data.place;
  if (DATABASE_URL !== undefined) {
    await runSql(DATABASE_URL, UNDO, 'VACUUM orders', 'CHECKPOINT');
    return;
  }
  const database = new Database(databaseOf(data));
  database.exec(UNDO);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}
