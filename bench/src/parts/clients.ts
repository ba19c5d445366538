import path from 'node:path';
import { createKey } from '@petstore/server/src/keys/create-key.ts';
import { openStore } from '@petstore/server/src/store/open-store.ts';
import { call, type Outcome, type Task } from '../../clients/call.ts';
import { clients as names, type ClientName } from '../../clients/clients.ts';
import { countingProxy, serve, type Answer, type Served } from '../../clients/servers.ts';
import type { Bench, Part } from '../bench.ts';
import type { Table } from '../result.ts';
import { startPetstore } from '../server.ts';

/** What clients do where a server or a caller does not behave. Those of a scenario run side by side. */
export const clients: Part = {
  name: 'clients',
  about: 'what clients do on servers that misbehave, ours and others',
  async run(bench) {
    const title = 'Clients on servers that misbehave';
    const tables: Table[] = [];
    for (const [scenario, find] of Object.entries(scenarios)) {
      bench.signal.throwIfAborted();
      bench.step(`${title}: ${scenario}`);
      const rows = (Object.keys(names) as ClientName[]).map(async (client) => [
        client,
        await find(client, bench),
      ]);
      tables.push({ head: [scenario, 'What it does'], rows: await Promise.all(rows) });
    }
    return { title, tables, claims: [] };
  },
};

const apiKey = 'pst_0123456789abcdefghijklmnopqrstuv012345';

// 2^53 + 1: the first integer that a JavaScript number rounds.
const LARGE = '9007199254740993';

/** Seconds. */
const PATIENCE = 20;

const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

const JSON_TYPE = { 'content-type': 'application/json' };

const scenarios: Record<string, (client: ClientName, bench: Bench) => Promise<string>> = {
  '429 with Retry-After: 3600': async (client) => {
    const body = JSON.stringify({ code: 'api_key_banned', message: 'Banned.', status: 429 });
    const banned = answering(429, { ...JSON_TYPE, 'retry-after': '3600' }, body);
    const { outcome, served } = await callOnce(client, banned);
    return `${requests(served.requests)}; ${ended(outcome)}`;
  },
  [`300 calls at once, 60 a minute, after ${PATIENCE} s`]: async (client, bench) => {
    const service = await startFree(bench, path.join(bench.folder, client.replace(/\W/g, '-')));
    const proxy = await countingProxy(service.origin);
    const { baseUrl, counted } = proxy;
    await call({ client, baseUrl, apiKey: service.key, times: 300 }, PATIENCE);
    await proxy.close();
    await service.stop();
    return `${counted.answered} answered, ${counted.refused} refused${counted.banned ? ', key banned' : ''}`;
  },
  [`cancels order ${LARGE}, a number`]: (client) => cancelled(client, Number(LARGE)),
  [`lists order ${LARGE}`]: async (client) => {
    const { outcome } = await callOnce(client, answering(200, JSON_TYPE, `[{"id":${LARGE}}]`));
    if (outcome?.error) return outcome.error.name;
    return show((outcome?.value as { id: unknown }[] | undefined)?.[0]?.id);
  },
  'cancels order ".."': (client) => cancelled(client, '..'),
  '200 with HTML': async (client) => {
    const { outcome } = await callOnce(
      client,
      answering(200, { 'content-type': 'text/html' }, '<h1>Hi</h1>'),
    );
    return ended(outcome);
  },
  '429 with an empty body': async (client) => {
    const { outcome, served } = await callOnce(client, answering(429));
    return `${requests(served.requests)}; ${ended(outcome)}`;
  },
  'redirect to another origin': async (client) => {
    const other = await serve(answering(200, JSON_TYPE, '[]'));
    const location = `${other.baseUrl}/store/orders`;
    const { outcome } = await callOnce(client, answering(307, { location }));
    await other.close();
    const [reached] = other.requests;
    if (!reached) return `not followed; ${ended(outcome)}`;
    return `followed, ${reached.authorization ? 'with' : 'without'} the key; ${ended(outcome)}`;
  },
};

/** One call to a server that answers with this. */
async function callOnce(
  client: ClientName,
  answer: Answer,
  task: Partial<Task> = {},
): Promise<{ outcome: Outcome | undefined; served: Served }> {
  const served = await serve(answer);
  try {
    const { baseUrl } = served;
    const [outcome] = await call({ client, baseUrl, apiKey, times: 1, ...task }, PATIENCE);
    return { outcome, served };
  } finally {
    await served.close();
  }
}

/** What arrived of a call that was to cancel one order. */
async function cancelled(client: ClientName, orderId: number | string): Promise<string> {
  const { outcome, served } = await callOnce(client, answering(204), { orderId });
  const [first] = served.requests;
  return first ? first.line : `not sent: ${outcome?.error?.name}`;
}

/** The real service with an empty store, and a key of the Free plan: 60 requests a minute. */
async function startFree(bench: Bench, dataDir: string) {
  const store = await openStore({ dataDir, databaseUrl: undefined, onError: () => {} });
  const { key } = await createKey(store.keys, { name: 'clients', plan: 'free', now: new Date() });
  await store.close();
  return { key, ...(await startPetstore(bench, { count: 0, dataDir, key, others: [], exhausted: key })) };
}

function requests({ length }: { readonly length: number }): string {
  return length === 1 ? '1 request' : `${length} requests`;
}

function ended(outcome: Outcome | undefined): string {
  if (!outcome) return `still waiting after ${PATIENCE} s`;
  const { error, value, seconds } = outcome;
  if (!error) return `returned ${show(value)}`;
  const when = error.retryAfter === undefined ? '' : `, come back in ${Number(error.retryAfter)} s`;
  return `${error.name} after ${seconds.toFixed(1)} s${when}`;
}

function show(value: unknown): string {
  return typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? 'undefined');
}
