import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Recorded } from '../peers/raw.ts';
import type { Bench } from './bench.ts';
import type { Exchanged } from './conformance.ts';
import type { Place } from './machine.ts';
import { builtFile, startServer, type Server } from './server.ts';

const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);

/** `node:http` alone, sending the bytes that our service sent in `exchanged`. */
export function startRaw(
  bench: Bench,
  exchanged: readonly Exchanged[],
  name = 'node:http',
  on: Place = 'server',
): Promise<Server> {
  const recording = path.join(bench.folder, `${name.replace(/\W+/g, '-')}.json`);
  writeFileSync(recording, JSON.stringify(exchanged.map(recorded)));
  return startServer(bench, name, (port) => [builtFile('peers/raw.js'), recording, String(port)], {}, on);
}

function recorded({ asked, answered }: Exchanged): Recorded {
  const headers: Record<string, string> = {};
  for (let index = 0; index < answered.rawHeaders.length; index += 2) {
    const name = answered.rawHeaders[index] ?? '';
    if (!OWN_HEADERS.has(name.toLowerCase())) headers[name] = answered.rawHeaders[index + 1] ?? '';
  }
  if (answered.status !== 204) headers['Content-Length'] = String(answered.body.length);
  return {
    method: asked.method,
    target: asked.target,
    authorization: asked.headers?.['Authorization'] ?? '',
    status: answered.status,
    headers,
    body: answered.body.toString('base64'),
  };
}
