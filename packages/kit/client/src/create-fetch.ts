import { isBelow } from './address.ts';
import { perform } from './call.ts';
import { clientOf, type Client, type Service } from './client.ts';
import type { Options } from './options.ts';

/** The fields of a Request that `fetch` takes as options, too. */
const PASSED = ['cache', 'credentials', 'integrity', 'keepalive', 'mode'] as const;

/** As many redirects as `fetch` itself follows (Fetch §4.4). */
const MOST_REDIRECTS = 20;

/**
 * Creates a `fetch` for requests to a service: with the key, time-outs, pacing, retries and hooks of a client, and
 * without a throw for any status. A path such as `/books` is below `baseUrl`. The key goes to `baseUrl` and below it
 * only; a request to any other address, also after a redirect, is a plain `fetch`.
 *
 * The promise rejects with a ConnectionError, a TimeoutError, or a RateLimitError if the request was not sent.
 *
 * @throws {TypeError} if an option is wrong.
 */
export function createFetch(service: Service, options: Options = {}): PacedFetch {
  return fetchOf(clientOf(service, options));
}

/** A `fetch`, and the address that it sends the key to. */
export type PacedFetch = typeof fetch & { readonly baseUrl: string };

export function fetchOf(client: Client): PacedFetch {
  const { base, baseUrl, service } = client;
  // As the first operation sends the key; there is one way in most contracts.
  const [{ credentials } = {}] = Object.values(service.operations ?? {});

  async function send(
    input: string | URL | Request,
    init: RequestInit = {},
    redirects = 0,
  ): Promise<Response> {
    const isPath = typeof input === 'string' && /^\/(?!\/)/.test(input);
    const request = new Request(isPath ? baseUrl + input : input, init);
    const { method, redirect, headers, signal } = request;
    // The platform's fetch: an injected one was given to send requests to this service.
    if (!isBelow(base, request.url)) return fetch(request, init);
    const body = /^(GET|HEAD)$/.test(method) ? undefined : await request.arrayBuffer();
    const passed = Object.fromEntries(PASSED.map((name) => [name, request[name]]));
    const { response } = await perform(client, {
      operation: undefined,
      method,
      url: request.url,
      headers: [client.headers, headers],
      body: body?.byteLength ? body : undefined,
      credentials,
      // Next.js and undici have options of their own, which a Request does not keep.
      options: { ...init, ...passed, headers: undefined, signal },
      read: (received) => received,
      isUnread: true,
    });

    const location = response.headers.get('location');
    const isRedirect = location && /^30[12378]$/.test(`${response.status}`);
    if (isRedirect && redirect === 'error') throw new TypeError(`redirected to ${location}`);
    // Only of what has no body, and without headers, which may hold secrets: the next address may be anyone's.
    if (!isRedirect || redirect === 'manual' || body || redirects === MOST_REDIRECTS) return response;
    await response.body?.cancel();
    return send(new URL(location, request.url), { method, signal }, redirects + 1);
  }

  return Object.assign((input: string | URL | Request, init?: RequestInit) => send(input, init), { baseUrl });
}
