import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkCatalogue } from '../src/catalogue-conformance.ts';
import {
  buildCatalogue,
  cataloguePeers,
  startCatalogue,
  startCataloguePeer,
} from '../src/catalogue-servers.ts';
import { checkConformance } from '../src/conformance.ts';
import { bearer, copyData, createData, LIST, root, type Data } from '../src/data.ts';
import { exchange } from '../src/exchange.ts';
import { createRun } from '../src/run.ts';
import { peers, startPeer, startPetstore, startRaw, type Server } from '../src/server.ts';

const run = createRun({ rounds: 1, seconds: 1 });
const servers: Server[] = [];
let data: Data;

before(async () => {
  data = await createData(run, root, 12);
  buildCatalogue();
});

after(async () => {
  for (const server of servers) await server.stop();
});

async function started(starting: Promise<Server>): Promise<Server> {
  const server = await starting;
  servers.push(server);
  return server;
}

for (const peer of peers) {
  test(`${peer} does the work of the service`, async () => {
    const copy = copyData(data, peer);
    const server = await started(startPeer(run, peer, copy));
    await checkConformance({ server, data: copy });
    await assert.rejects(checkConformance({ server, data: { ...copy, count: 13 } }), {
      message: `${peer} does not conform: GET /v1/store/orders responds with 200, but with unexpected headers or body`,
    });
  });
}

test('the service conforms, and plain node:http sends the same bytes', async () => {
  const copy = copyData(data, 'petstore');
  const server = await started(startPetstore(run, copy));
  await checkConformance({ server, data: copy });

  const list = { method: 'GET', target: LIST, headers: bearer(copy.key) } as const;
  const response = await exchange(server.origin, list);
  const raw = await started(startRaw(run, response));
  const { body, headers } = await exchange(raw.origin, list);
  assert.equal(body, response.body);
  assert.deepEqual([...headers.keys()], [...response.headers.keys()]);
});

test('the catalogue and its peers do the same work', async () => {
  const { server } = await startCatalogue(run, 'open');
  const others = cataloguePeers.map((peer) => startCataloguePeer(run, peer, ''));
  for (const subject of [server, ...(await Promise.all(others))]) {
    servers.push(subject);
    await checkCatalogue(subject, '');
  }
});

test('with keys, the catalogue and Fastify reject requests without one', async () => {
  const { server, key } = await startCatalogue(run, 'keyed');
  for (const subject of [server, await startCataloguePeer(run, 'fastify', key)]) {
    servers.push(subject);
    await checkCatalogue(subject, key);
  }
});
