import { spawnSync } from 'node:child_process';
import path from 'node:path';

/* The rule of scripts/error-listeners.mjs, with the configuration of ESLint, on code that breaks it in the lines with BAD. */

const root = path.resolve(__dirname, '../../../../..');

const CODE = `
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { duplexPair, PassThrough, Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Redis } from 'ioredis';
import pg from 'pg';

// As a parser of forms hands over each file.
export function files(form: { on(event: 'file', listener: (name: string, stream: Readable) => void): void }) {
  const parts: Buffer[] = [];
  form.on('file', (_name, stream) => { // BAD
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => undefined);
  });
  form.on('file', (_name, stream) => {
    stream.on('error', () => undefined);
    stream.on('data', (part: Buffer) => parts.push(part));
  });
}

export function servers(listener: http.RequestListener, each: (socket: net.Socket) => void) {
  const bad = http.createServer(listener); // BAD
  bad.listen(0);
  const good = http.createServer(listener).on('error', () => undefined);
  good.listen(0);
  const without = http.createServer(listener);
  without.emit('connection', new net.Socket().on('error', () => undefined));
  net.createServer((socket) => each(socket)).once('error', () => undefined); // BAD
  const later = net.createServer((socket) => void socket.setTimeout(1).on('error', () => undefined));
  const listen = () => later.on('error', () => undefined);
  return { bad, listen };
}

export async function processes(file: string) {
  spawn(file); // BAD
  const bad = fork(file); // BAD
  bad.once('exit', () => undefined);
  const awaited = spawn(file);
  await once(awaited, 'close');
  const good = fork(file);
  good.once('exit', () => undefined).on('error', () => undefined);
  return bad.pid;
}

export async function* streams(file: string, target: Writable) {
  createReadStream(file).pipe(createWriteStream(file)); // BAD
  const bad = new PassThrough(); // BAD
  bad.resume();
  const returned = Readable.from([]); // BAD
  const [near, far] = duplexPair(); // BAD
  near.on('error', () => undefined);
  await pipeline(createReadStream(file), createGzip(), target);
  for await (const chunk of createReadStream(file)) yield chunk as Buffer;
  yield* Readable.from([Buffer.alloc(1)]);
  let assigned: Readable | undefined;
  assigned = createReadStream(file);
  assigned.on('error', () => undefined);
  return { returned, far };
}

export function databases(url: string) {
  const redis = new Redis(url); // BAD
  redis.on('close', () => undefined);
  const pool = new pg.Pool().on('error', () => undefined);
  pool.on('connect', (client) => void client.query('SELECT 1')); // BAD
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return [new Redis(url).on('error', () => undefined)];
}
`;

test('lint finds streams, connections and processes without a listener for errors', () => {
  const file = 'packages/kit/server/src/validation/form.ts';
  const program = path.join(root, 'node_modules/eslint/bin/eslint.js');
  const args = [program, '--stdin', '--stdin-filename', file, '--format', 'json'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, input: CODE, encoding: 'utf8' });
  expect(stderr).toBe('');
  const [{ messages }] = JSON.parse(stdout) as [{ messages: { ruleId: string; line: number }[] }];
  const found = messages.filter(({ ruleId }) => ruleId === 'service/error-listeners').map(({ line }) => line);
  const wanted = CODE.split('\n').flatMap((text, index) => (text.includes('// BAD') ? [index + 1] : []));
  expect([...new Set(found)]).toEqual(wanted);
});
