import { failure, PetstoreError } from './errors.ts';
import type { PreparedCall } from './prepare.ts';
import { messageOf } from './redact.ts';
import type { Answer } from './session.ts';

/** Bytes of a body. One that is longer has no end, or should be streamed. */
export const MAX_LENGTH = 2 ** 28;

/** What a chunk counts for, because chunks without end may be empty, too. Throws a TypeError if it is no bytes. */
export function weightOf(chunk: Uint8Array): number {
  if (chunk?.BYTES_PER_ELEMENT !== 1) throw new TypeError('its chunks are no bytes');
  return Math.max(1024, chunk.length);
}

/** A response whose body is unread. */
export interface Head extends Answer {
  readonly body: Body | null | undefined;
  readonly response: Response;
}

/** That of node-fetch is a stream of Node.js; that of a double may be anything. */
type Body = Partial<ReadableStream<Uint8Array>> & Partial<AsyncIterable<Uint8Array>>;

/** Status and headers of what `fetch` gave, which may be anything where it is injected. Throws a PetstoreError then. */
export function headOf(response: Response, { about, hide }: PreparedCall): Head {
  let fault;
  try {
    const { status, headers, body, bodyUsed, text } = Object(response) as Response;
    const lack = !headers ? 'headers' : !Number.isInteger(status) ? 'status' : !text && 'text';
    if (Object(response) !== response) fault = `is ${response as unknown as string}`;
    else if (lack) fault = `lacks ${lack}`;
    else if (bodyUsed || body?.locked) fault = 'has been read before: give each call its own';
    else {
      // Those of a double may be a plain object or a Map, and those of another fetch are of a class of its own.
      const isForeign = !(headers instanceof Headers) && (Symbol.iterator in headers || !('get' in headers));
      const own = isForeign ? new Headers(headers) : headers;
      own.get('date');
      // Not every jsdom can decode one.
      return { status, headers: own, body: globalThis.TextDecoder && body, response };
    }
  } catch (error) {
    fault = `cannot be read: ${hide(messageOf(error))}`;
  }
  throw failure(PetstoreError, about, 'invalid_fetch', `the response that fetch gave ${fault}`);
}

/** The whole body; `undefined` if it is too long, or no text although one is expected. */
export async function contentOf(
  { response, body }: Head,
  isBinary: boolean,
  isExpected: boolean,
): Promise<string | Uint8Array | undefined> {
  const source = body?.getReader?.() ?? body?.[Symbol.asyncIterator]?.();
  if (!source) {
    if (isBinary) return new Uint8Array(await response.arrayBuffer());
    const text: unknown = await response.text();
    if (typeof text === 'string') return text;
    throw new TypeError('its text() gave none');
  }
  const chunks: Uint8Array[] = [];
  const close = async () => ('read' in source ? source.cancel() : source.return?.());
  let length = 0;
  let weight = 0;
  let isRead: boolean | undefined;
  try {
    while (weight <= MAX_LENGTH) {
      const { done, value } = await ('read' in source ? source.read() : source.next());
      isRead = done;
      if (done) break;
      weight += weightOf(value);
      chunks.push(value);
      length += value.length;
    }
  } finally {
    // What is refused must not keep its connection. A double may be unable to close.
    if (!isRead) close().catch(() => {});
  }
  if (!isRead) return;
  const bytes = new Uint8Array(length);
  for (const chunk of chunks.reverse()) bytes.set(chunk, (length -= chunk.length));
  try {
    // What an error says, such as that of a proxy, may be in any encoding; data is in no other one (RFC 8259 §8.1).
    return isBinary ? bytes : new TextDecoder('utf-8', { fatal: isExpected }).decode(bytes);
  } catch {
    return;
  }
}
