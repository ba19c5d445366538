import { redirectedTo } from '#platform';
import { isBelow } from './address.ts';
import { perform } from './call.ts';
import { clientOf, type Client, type Service } from './client.ts';
import type { Options } from './options.ts';
import type { CallOptions } from './types.ts';

/** A `fetch`, and the address that it sends the key to. */
export type PacedFetch = typeof fetch & { readonly baseUrl: string };

/**
 * Creates a `fetch` with the key, time-outs, pacing, retries and hooks of a client. The key goes to `baseUrl` and below
 * it only; a request to any other address, also after a redirect, is a plain `fetch`. It throws for no status.
 */
export function createFetch(service: Service, options: Options = {}): PacedFetch {
  return fetchOf(clientOf(service, options));
}

export function fetchOf(client: Client): PacedFetch {
  const { baseUrl, service } = client;

  async function send(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
    const isPath = typeof input === 'string' && /^\/(?!\/)/.test(input);
    let request = new Request(isPath ? baseUrl + input : input, init);
    for (let redirects = 0; ; redirects++) {
      const { method, headers, signal, url, cache, credentials, integrity, keepalive } = request;
      // The platform's fetch: an injected one is only for this service.
      if (!isBelow(baseUrl, url)) return fetch(request, init);
      const body = await request.arrayBuffer();
      // Next.js and undici have more options, which a Request does not keep.
      const options = { ...init, cache, credentials, integrity, keepalive, signal } as CallOptions;
      const { response } = await perform(client, {
        method,
        url,
        headers: [client.headers, headers],
        body: body.byteLength ? body : null,
        security: service.fetchKey,
        options,
        read: (received) => Promise.resolve(received),
        isUnread: true,
      });
      const next = redirectedTo(response, request, redirects);
      if (!next) return response;
      request = next;
      init = undefined;
    }
  }

  return Object.assign(send, { baseUrl });
}
