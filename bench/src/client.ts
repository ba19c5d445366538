import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bearer, createData, LIST, root } from './data.ts';
import { exchange } from './exchange.ts';
import { pinned } from './machine.ts';
import type { Section } from './report.ts';
import { measureInRounds, type Run, type Stops } from './run.ts';
import { programOf, startPetstore, startRaw } from './server.ts';
import { format, formatRatio, formatSpread, ratios } from './statistics.ts';

const execute = promisify(execFile);

const BASE = 'fetch';
/** The imports of an application, by client. */
const imports: Readonly<Record<string, string>> = {
  '@petstore/client': "export { createPetstore } from '@petstore/client';",
  'openapi-fetch': "export { default } from 'openapi-fetch';",
  [BASE]: '',
};
const clients = Object.keys(imports);

/** What the client costs: CPU time per call, and size in a page. */
export async function measureClient(run: Run, stops: Stops): Promise<Section> {
  const times = await callTimes(run, stops);
  const of = (name: string) => times[name] ?? [];
  const sizes = await Promise.all(clients.map((name) => sizeOf(imports[name] ?? '')));
  return {
    title: 'Client',
    note: 'A call lists 10 orders from `node:http`, which sends the bytes of the service. Sizes are bundled for browsers by esbuild with all dependencies. Only our client knows the operations, paces itself and validates input.',
    head: ['', 'CPU µs/call', `× ${BASE}`, 'bytes, minified and gzip -9', 'bytes, minified'],
    rows: clients.map((name, index) => [
      name,
      formatSpread(of(name)),
      formatSpread(ratios(of(name), of(BASE)), formatRatio),
      ...(sizes[index] ?? []).map(format),
    ]),
  };
}

/** Microseconds of CPU time per call, by client and round. */
async function callTimes(run: Run, stops: Stops): Promise<Record<string, number[]>> {
  const data = await createData(run, root, 10);
  const service = await startPetstore(run, data);
  const list = { method: 'GET', target: LIST, headers: bearer(data.key) } as const;
  const response = await exchange(service.origin, list);
  await service.stop();
  // Clients are measured, so they get the free core.
  const raw = await startRaw(run, response, 'load');
  stops.push(() => raw.stop());
  const timeOf = async (name: string) => {
    const program = [programOf('client-calls'), name, raw.origin, data.key];
    const { stdout } = await execute(...pinned('server', process.execPath, program));
    return Number(stdout);
  };
  const calls = clients.map((name) => [name, () => timeOf(name)] as const);
  return measureInRounds(run, 'client', Object.fromEntries(calls));
}

async function sizeOf(contents: string): Promise<[compressed: number, minified: number]> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: path.join(root, 'bench') },
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  return bytes.length === 0 ? [0, 0] : [gzipSync(bytes, { level: 9 }).length, bytes.length];
}
