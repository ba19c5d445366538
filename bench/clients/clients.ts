import Anthropic from '@anthropic-ai/sdk';
import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { createPetstore, type Int64 } from '@petstore/client';
import ky from 'ky';
import OpenAI from 'openai';
import createClient from 'openapi-fetch';

/** The two calls that every client is asked for, made as its documentation says. */
export interface Client {
  listOrders(): Promise<unknown>;
  cancelOrder(orderId: number | string): Promise<unknown>;
}

/** Makes a client with its defaults. `baseUrl` ends in `/v1`. */
type CreateClient = (baseUrl: string, apiKey: string) => Client;

const petstore: CreateClient = (baseUrl, apiKey) => {
  const client = createPetstore({ apiKey, baseUrl });
  return {
    listOrders: () => client.listOrders(),
    cancelOrder: (orderId: Int64) => client.cancelOrder({ orderId }),
  };
};

interface Paths {
  '/store/orders': { get: { responses: { 200: { content: { 'application/json': unknown } } } } };
  '/store/orders/{orderId}': {
    delete: { parameters: { path: { orderId: number | string } }; responses: { 204: { content?: never } } };
  };
}

/** It throws for no status: whoever calls it looks at `error`, as its documentation says. */
const openapiFetch: CreateClient = (baseUrl, apiKey) => {
  const client = createClient<Paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } });
  const dataOf = ({ data, error }: { data?: unknown; error?: unknown }) => {
    if (error) throw Object.assign(new Error('refused'), { error });
    return data;
  };
  return {
    listOrders: async () => dataOf(await client.GET('/store/orders')),
    cancelOrder: async (orderId) =>
      dataOf(await client.DELETE('/store/orders/{orderId}', { params: { path: { orderId } } })),
  };
};

const kyClient: CreateClient = (baseUrl, apiKey) => {
  const api = ky.create({ prefixUrl: baseUrl, headers: { authorization: `Bearer ${apiKey}` } });
  return {
    listOrders: () => api.get('store/orders').json(),
    cancelOrder: (orderId) => api.delete(`store/orders/${orderId}`).text(),
  };
};

const ThrottledOctokit = Octokit.plugin(retry, throttling);

/** With both of its plugins, which try a refused call again once, as in their documentation. */
const octokit: CreateClient = (baseUrl, apiKey) => {
  const client = new ThrottledOctokit({
    baseUrl,
    throttle: {
      onRateLimit: (_retryAfter, _options, _octokit, retryCount) => retryCount < 1,
      onSecondaryRateLimit: () => {},
    },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const headers = { authorization: `Bearer ${apiKey}` };
  return {
    listOrders: async () => (await client.request('GET /store/orders', { headers })).data as unknown,
    cancelOrder: async (orderId) =>
      (await client.request('DELETE /store/orders/{orderId}', { headers, orderId })).data as unknown,
  };
};

/** The methods of an SDK for any path of any address. */
const sdk = (client: OpenAI | Anthropic): Client => ({
  listOrders: () => client.get('/store/orders'),
  cancelOrder: (orderId) => client.delete(`/store/orders/${orderId}`),
});

/** The clients that are compared. */
export const clients = {
  '@petstore/client': petstore,
  'openapi-fetch': openapiFetch,
  ky: kyClient,
  octokit,
  openai: (baseURL: string, apiKey: string) => sdk(new OpenAI({ apiKey, baseURL })),
  anthropic: (baseURL: string, authToken: string) => sdk(new Anthropic({ apiKey: null, authToken, baseURL })),
};

export type ClientName = keyof typeof clients;
