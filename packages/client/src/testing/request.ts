import type { Operation } from '@petstore/contract';
import { int64Digits } from '../exact-integers.ts';
import { refuse, type Answer } from './answer.ts';

/** What `fetch` was given as a Request; in jsdom, which has none, as much of one as this fake asks for. */
export function requestOf(input: Request | URL | string, init: RequestInit = {}): Request {
  if (globalThis.Request) return new Request(input, init);
  const { method = 'GET', headers, body = null, signal = new AbortController().signal } = init;
  const text = () => Promise.resolve(body);
  return {
    method,
    url: `${input as string}`,
    headers: new Headers(headers),
    body,
    signal,
    text,
  } as unknown as Request;
}

type Credentials = NonNullable<Operation['credentials']>;

/** How a key is sent to an operation, and where there is none. */
export function credentialsOf(operation?: Operation): Credentials {
  return operation?.credentials ?? { Authorization: 'Bearer' };
}

/** The key that is in each of the headers which ought to carry it; undefined where one does not. */
export function keyIn(headers: Headers, credentials: Credentials): string | undefined {
  const keys = Object.entries(credentials).map(([name, scheme]) => {
    const [, text] = new RegExp(`^${scheme && `${scheme} +`}(.+)$`, 'i').exec(headers.get(name) ?? '') ?? [];
    // RFC 7617 §2: the key is the password, whoever the user is.
    return text && scheme === 'Basic' ? atob(text).replace(/^[^:]*:/, '') : text;
  });
  return keys.every((key) => key === keys[0]) ? keys[0] : undefined;
}

export function unauthorized(credentials: Credentials, isInvalid: boolean): Answer {
  const forms = Object.entries(credentials).map(
    ([name, scheme]) => `\`${name}: ${scheme && `${scheme} `}<API_KEY>\``,
  );
  return isInvalid
    ? refuse('unauthorized', 'The API key is invalid: unknown or revoked.', {
        'WWW-Authenticate': 'Bearer realm="petstore", error="invalid_token"',
      })
    : refuse('unauthorized', `The API key is missing: send it as ${forms.join(' with ')}.`);
}

/** Refuses what the operation does not take, as far as the client's table of operations tells. */
export function invalid(
  operation: Operation,
  path: Readonly<Record<string, string>>,
  query: URLSearchParams,
  type: string | null,
  body: string,
): Answer | undefined {
  for (const name of operation.int64 ?? []) {
    const texts = [path[name] ?? query.getAll(name)].flat();
    for (const text of operation.joined?.includes(name) ? texts.flatMap((each) => each.split(',')) : texts)
      if (!int64Digits(text) && !(text === '' && operation.nullable?.includes(name)))
        return refuse('invalid_request', `${name} must be a 64-bit decimal integer.`);
  }
  for (const name of query.keys())
    if (!operation.query?.includes(name))
      return refuse('invalid_request', `Unknown query parameter '${name}'.`);
  if (!operation.body) return undefined;
  if (!body)
    return operation.body === 'optional' ? undefined : refuse('invalid_request', 'The body is missing.');
  if (!/^application\/json *(;|$)/i.test(type ?? ''))
    return refuse('unsupported_media_type', 'The body must be application/json, and not encoded.');
  try {
    JSON.parse(body);
    return undefined;
  } catch {
    return refuse('invalid_request', 'The body must be valid JSON.');
  }
}
