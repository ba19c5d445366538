/** The two calls that every client is asked for, made as its documentation says. */
export interface Client {
  listOrders(): Promise<unknown>;
  cancelOrder(orderId: number | string): Promise<unknown>;
}

/** Makes a client with its defaults. `baseUrl` ends in `/v1`. */
export type CreateClient = (baseUrl: string, apiKey: string) => Client;

/** The clients that are compared: each is a file of its own in `peers/`, under the name of its package. */
export const peers = {
  '@petstore/client': () => import('./peers/petstore.ts'),
  'openapi-fetch': () => import('./peers/openapi-fetch.ts'),
  ky: () => import('./peers/ky.ts'),
  octokit: () => import('./peers/octokit.ts'),
  openai: () => import('./peers/openai.ts'),
  anthropic: () => import('./peers/anthropic.ts'),
} satisfies Record<string, () => Promise<{ create: CreateClient }>>;

export type PeerName = keyof typeof peers;
