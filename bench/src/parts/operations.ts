import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { document } from '@petstore/contract/document';
import type { Bench } from '../bench.ts';
import { checkConformance } from '../conformance.ts';
import { copyData, createData, SHIPPED_ID } from '../data.ts';
import { exchange } from '../exchange.ts';
import { MORE, morePaths } from '../more-operations.ts';
import { atMost, disturbanceNote, named, throughputTable, type PartResult } from '../result.ts';
import { measure, underLoad, type Measured } from '../rounds.ts';
import { builtFile, startPeer, startPetstore } from '../server.ts';
import { ratioOf, type Spread } from '../statistics.ts';
import type { Part } from './part.ts';

const SHORT = 'petstore, 3 operations';
const LONG = `petstore, ${3 + MORE} operations`;
const EXPRESS_SHORT = 'express, 3 operations';
const EXPRESS_LONG = `express, ${3 + MORE} operations`;

/** What Node needs to start the service on the longer contract. */
export const moreOperationsPreload = ['--import', builtFile('probes/more-operations.js')];

/** The longer contract as a file, for a peer. */
export function writeLongContract(folder: string): string {
  const file = path.join(folder, 'openapi.json');
  const paths = document['paths'] as object;
  const servers = [{ url: 'http://localhost:3000/v1' }];
  writeFileSync(file, JSON.stringify({ ...document, servers, paths: { ...morePaths(document), ...paths } }));
  return file;
}

/** What a longer contract costs each request. */
export const operations: Part = {
  name: 'operations',
  about: `a contract of 3 and of ${3 + MORE} operations`,
  async run(bench: Bench): Promise<PartResult> {
    const title = 'Longer contract';
    const data = await createData(bench, 10);
    bench.progress.step(`${title}: starting the servers`);
    const contract = writeLongContract(bench.folder);
    const servers = [
      await startPetstore(bench, copyData(data, 'short'), { name: SHORT }),
      await startPetstore(bench, copyData(data, 'long'), { name: LONG, node: moreOperationsPreload }),
      await startPeer(bench, 'express', copyData(data, 'peer-short'), { name: EXPRESS_SHORT }),
      await startPeer(bench, 'express', copyData(data, 'peer-long'), { name: EXPRESS_LONG, contract }),
    ];
    for (const { name, origin } of servers) await checkConformance(name, origin, data);
    const headers = { Authorization: `Bearer ${data.key}` };
    const added = await exchange(servers[1]?.origin ?? '', {
      method: 'GET',
      target: '/v1/store/aisle7/7',
      headers,
    });
    if (added.status !== 204) throw new Error(`the added operations are not served: ${added.status}`);

    const measured = await measure(
      bench,
      title,
      servers.map((server) =>
        underLoad(bench, server, {
          method: 'DELETE',
          target: `/v1/store/orders/${SHIPPED_ID}`,
          headers,
          outcome: 'failure',
        }),
      ),
    );
    const ratio = cpuRatio(measured, LONG, SHORT);
    return {
      title: 'Contract of 3 and of 43 operations: cancel, 409',
      tables: [throughputTable(measured, SHORT)],
      notes: disturbanceNote(measured),
      claims: ratio
        ? [atMost('CPU per request, 43 operations', 1.1, '× that of 3', ratio)]
        : [
            {
              subject: 'CPU per request, 43 operations',
              target: '≤ 1.1 × that of 3',
              measured: '–',
              met: undefined,
            },
          ],
    };
  },
};

function cpuRatio(measured: readonly Measured[], a: string, b: string): Spread | undefined {
  const [ofA, ofB] = [a, b].map((name) =>
    named(measured, name).samples.flatMap(({ cpu }) => (cpu === undefined ? [] : [cpu])),
  );
  return ofA && ofB && ofA.length > 0 && ofA.length === ofB.length ? ratioOf(ofA, ofB) : undefined;
}
