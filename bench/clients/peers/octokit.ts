import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import type { CreateClient } from '../peer.ts';

const ThrottledOctokit = Octokit.plugin(retry, throttling);

/** With both of its plugins, which try a refused call again once, as in their documentation. */
export const create: CreateClient = (baseUrl, apiKey) => {
  const octokit = new ThrottledOctokit({
    baseUrl,
    throttle: {
      onRateLimit: (_retryAfter, _options, _octokit, retryCount) => retryCount < 1,
      onSecondaryRateLimit: () => {},
    },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const headers = { authorization: `Bearer ${apiKey}` };
  return {
    listOrders: async () => (await octokit.request('GET /store/orders', { headers })).data as unknown,
    cancelOrder: async (orderId) =>
      (await octokit.request('DELETE /store/orders/{orderId}', { headers, orderId })).data as unknown,
  };
};
