import { servers } from '@petstore/contract';

/** The servers of the contract by name. */
export type Environment = keyof typeof servers;

export interface PetstoreOptions {
  /** The API key, `pst_…`. Sent as a bearer token (RFC 6750 §2.1), and nowhere else. */
  readonly apiKey: string;
  /** The API's address, which ends in `/v1`. Takes precedence over `environment`. */
  readonly baseUrl?: string | undefined;
  /** One of the contract's servers. Default: `production`. */
  readonly environment?: Environment | undefined;
  /** Allows plain http to a host that is not this machine. The key can then be read on the way. Default: false. */
  readonly allowInsecure?: boolean | undefined;
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** The address to send requests to. Throws a TypeError if the key would not be safe on the way there. */
export function addressOf({ baseUrl, environment = 'production', allowInsecure }: PetstoreOptions): string {
  const url = new URL(baseUrl ?? servers[environment]);
  const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (loopback || allowInsecure)))
    throw new TypeError(
      'baseUrl must be https, or a server on this machine, or come with allowInsecure: true',
    );
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError('baseUrl must have no credentials, query or fragment');
  return url.href;
}

/** The Authorization header. The TypeError for a malformed key does not contain it, as that of `Headers` would. */
export function authorizationOf({ apiKey }: PetstoreOptions): string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey must be a text of printable ASCII characters');
  return `Bearer ${apiKey}`;
}
