import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { pathOf } from '@petstore/local-stack';
import type { Bench } from './bench.ts';
import { pinned } from './machine.ts';

const run = promisify(execFile);

export const CONNECTIONS = 16;

export interface Load {
  readonly origin: string;
  readonly method: 'GET' | 'DELETE' | 'POST';
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Cancels this order and the following ones, each once, in place of `target`. */
  readonly firstId?: number;
  /** JSON to send with each request. */
  readonly body?: string;
  /** The number of client addresses that take turns, as a trusted proxy reports them. */
  readonly addresses?: number;
}

export interface LoadReport {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p99: number;
  /** Answers of 400 and above. */
  readonly failures: number;
  /** Requests that got no answer. */
  readonly broken: number;
}

/** Loads a server from the other core, over 16 connections that each send one request after the other. Needs wrk. */
export async function applyLoad({ signal }: Bench, load: Load, seconds: number): Promise<LoadReport> {
  const { origin, method, target, headers, firstId, body, addresses } = load;
  const [command, args] = pinned('load', pathOf('wrk'), [
    '--threads=1',
    `--connections=${CONNECTIONS}`,
    `--duration=${Math.ceil(seconds)}s`,
    '--timeout=30s',
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    '--script',
    path.join(import.meta.dirname, 'load.lua'),
    `${origin}${target}`,
    '--',
    method,
    ...(firstId === undefined ? [] : ['ids', String(firstId)]),
    ...(body === undefined ? [] : ['body', body]),
    ...(addresses === undefined ? [] : ['addresses', String(addresses)]),
  ]);
  const { stdout } = await run(command, args, { signal, maxBuffer: 1e8 });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as LoadReport;
}
