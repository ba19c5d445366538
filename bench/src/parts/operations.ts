import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { document } from '@petstore/contract/document';
import type { Bench, Part } from '../bench.ts';
import { checkConformance } from '../conformance.ts';
import { bearer, copyData, createData, LIST, SHIPPED_ID, type Data } from '../data.ts';
import { exchange } from '../exchange.ts';
import { MORE, morePaths } from '../more-operations.ts';
import { atMost, cpuRatio, disturbanceNote, throughputTable } from '../result.ts';
import { measure, underLoad } from '../rounds.ts';
import { builtFile, peers, startPeer, startPetstore, type Peer, type Server } from '../server.ts';
import { format, formatSpread, spreadOf } from '../statistics.ts';

const ALL = 3 + MORE;
const SHORT = 'petstore, 3 operations';
const LONG = `petstore, ${ALL} operations`;
const EXPRESS_LONG = `express, ${ALL} operations`;

/** Ours on the longer contract. */
function startLong(bench: Bench, data: Data): Promise<Server> {
  return startPetstore(bench, data, {
    name: LONG,
    node: ['--import', builtFile('probes/more-operations.js')],
  });
}

/** A peer on the longer contract. */
function startLongExpress(bench: Bench, data: Data): Promise<Server> {
  const contract = path.join(bench.folder, 'openapi.json');
  const paths = document['paths'] as object;
  const servers = [{ url: 'http://localhost:3000/v1' }];
  writeFileSync(
    contract,
    JSON.stringify({ ...document, servers, paths: { ...morePaths(document), ...paths } }),
  );
  return startPeer(bench, 'express', data, { name: EXPRESS_LONG, contract });
}

/** What a longer contract costs each request. */
export const operations: Part = {
  name: 'operations',
  about: `a contract of 3 and of ${ALL} operations`,
  async run(bench) {
    const title = `Contract of 3 and of ${ALL} operations: cancel, 409`;
    const data = await createData(bench, 10);
    const headers = bearer(data.key);
    bench.step(`${title}: starting the servers`);
    const long = await startLong(bench, copyData(data, 'long'));
    const servers = [
      await startPetstore(bench, copyData(data, 'short'), { name: SHORT }),
      long,
      await startPeer(bench, 'express', copyData(data, 'peer-short'), { name: 'express, 3 operations' }),
      await startLongExpress(bench, copyData(data, 'peer-long')),
    ];
    for (const { name, origin } of servers) await checkConformance(name, origin, data);
    const added = await exchange(long.origin, { method: 'GET', target: '/v1/store/aisle7/7', headers });
    if (added.status !== 204) throw new Error(`the added operations are not served: ${added.status}`);
    const measured = await measure(
      bench,
      title,
      servers.map((server) =>
        underLoad(bench, server, {
          method: 'DELETE',
          target: `${LIST}/${SHIPPED_ID}`,
          headers,
          outcome: 'failure',
        }),
      ),
    );
    const ratio = cpuRatio(measured, LONG, SHORT);
    return {
      title,
      tables: [throughputTable(measured, SHORT)],
      notes: disturbanceNote(measured),
      claims: [atMost(`CPU per request, ${ALL} operations`, 1.1, '× that of 3', ratio)],
    };
  },
};

/** From the start of the process to the first answer of the API. */
export const start: Part = {
  name: 'start',
  about: 'server start to first answer',
  async run(bench) {
    const title = 'Start to first answer';
    const data = await createData(bench, 10);
    const own = copyData(data, 'own');
    const starters: Record<string, () => Promise<Server>> = {
      [SHORT]: () => startPetstore(bench, own),
      [LONG]: () => startLong(bench, own),
      ...Object.fromEntries(peers.map((peer: Peer) => [peer, () => startPeer(bench, peer, data)])),
      [EXPRESS_LONG]: () => startLongExpress(bench, data),
    };
    const times: Record<string, number[]> = {};
    const memory: Record<string, number[]> = {};
    for (let round = 1; round <= bench.rounds; round += 1) {
      bench.step(`${title}: round ${round} of ${bench.rounds}`);
      for (const [name, begin] of Object.entries(starters)) {
        bench.signal.throwIfAborted();
        const server = await begin();
        (times[name] ??= []).push(server.startTime);
        (memory[name] ??= []).push(server.memory() / 1e6);
        await server.stop();
      }
    }
    const rows = Object.entries(times).map(([name, all]) => [
      name,
      formatSpread(spreadOf(all)),
      formatSpread(spreadOf(memory[name] ?? [])),
    ]);
    return {
      title,
      tables: [{ head: ['', 'ms', 'memory MB'], rows }],
      claims: [atMost(`start with ${ALL} operations`, 2000, 'ms', spreadOf(times[LONG] ?? []), format)],
    };
  },
};
