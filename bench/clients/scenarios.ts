import { callPeer, type Outcome, type Task } from './peer-process.ts';
import type { PeerName } from './peer.ts';
import { countingProxy, serve, type Served } from './servers.ts';
import { startService } from './service.ts';

/** What goes wrong, and how to see what a client makes of it. */
export interface Scenario {
  readonly title: string;
  readonly run: (peer: PeerName) => Promise<string>;
}

const apiKey = 'pst_0123456789abcdefghijklmnopqrstuv012345';

// 2^53 + 1: the first integer that a JavaScript number rounds.
const LARGE = '9007199254740993';

const PATIENCE = 20;

/** One call to a server that answers with this. */
async function callOnce(
  peer: PeerName,
  answer: Parameters<typeof serve>[0],
  task: Partial<Task> = {},
): Promise<{ outcome: Outcome | undefined; served: Served }> {
  const served = await serve(answer);
  try {
    const { baseUrl } = served;
    const [outcome] = await callPeer({ peer, baseUrl, apiKey, times: 1, ...task }, PATIENCE);
    return { outcome, served };
  } finally {
    await served.close();
  }
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

/** What arrived of a call that was to cancel one order. */
async function cancelled(peer: PeerName, orderId: number | string): Promise<string> {
  const { outcome, served } = await callOnce(peer, (_request, response) => response.writeHead(204).end(), {
    orderId,
  });
  const [first] = served.requests;
  return first ? first.line : `not sent: ${outcome?.error?.name}`;
}

export const scenarios: readonly Scenario[] = [
  {
    title: '429 with Retry-After: 3600',
    run: async (peer) => {
      const body = JSON.stringify({ code: 'api_key_banned', message: 'Banned.', status: 429 });
      const { outcome, served } = await callOnce(peer, (_request, response) =>
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '3600' }).end(body),
      );
      return `${requests(served.requests)}; ${ended(outcome)}`;
    },
  },
  {
    title: `300 calls at once, 60 a minute, after ${PATIENCE} s`,
    run: async (peer) => {
      const service = await startService();
      const proxy = await countingProxy(service.origin);
      const { baseUrl, counted } = proxy;
      try {
        await callPeer({ peer, baseUrl, apiKey: await service.createKey(), times: 300 }, PATIENCE);
      } finally {
        await proxy.close();
        await service.stop();
      }
      return `${counted.answered} answered, ${counted.refused} refused${counted.banned ? ', key banned' : ''}`;
    },
  },
  {
    title: `cancels order ${LARGE}, a number`,
    run: (peer) => cancelled(peer, Number(LARGE)),
  },
  {
    title: `lists order ${LARGE}`,
    run: async (peer) => {
      const { outcome } = await callOnce(peer, (_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(`[{"id":${LARGE}}]`),
      );
      if (outcome?.error) return outcome.error.name;
      return show((outcome?.value as { id: unknown }[] | undefined)?.[0]?.id);
    },
  },
  {
    title: 'cancels order ".."',
    run: (peer) => cancelled(peer, '..'),
  },
  {
    title: '200 with HTML',
    run: async (peer) => {
      const { outcome } = await callOnce(peer, (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>'),
      );
      return ended(outcome);
    },
  },
  {
    title: '429 with an empty body',
    run: async (peer) => {
      const { outcome, served } = await callOnce(peer, (_request, response) => response.writeHead(429).end());
      return `${requests(served.requests)}; ${ended(outcome)}`;
    },
  },
  {
    title: 'redirect to another origin',
    run: async (peer) => {
      const other = await serve((_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
      );
      const location = `${other.baseUrl}/store/orders`;
      const { outcome } = await callOnce(peer, (_request, response) =>
        response.writeHead(307, { location }).end(),
      );
      await other.close();
      const [reached] = other.requests;
      if (!reached) return `not followed; ${ended(outcome)}`;
      return `followed, ${reached.authorization ? 'with' : 'without'} the key; ${ended(outcome)}`;
    },
  },
];
