import net from 'node:net';

/** The text of an HTTP/1.1 request to `petstore.example`, with a Content-Length if it has a body. */
export function request(
  line: string,
  headers: readonly string[] = [],
  { body = '', version = '1.1' }: { body?: string; version?: '1.0' | '1.1' } = {},
): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`];
  return [`${line} HTTP/${version}`, 'Host: petstore.example', ...headers, ...length, '', body].join('\r\n');
}

export interface RawResponse {
  /** The status line and the headers, as sent. */
  readonly lines: readonly string[];
  /** The body without the framing of its chunks. */
  readonly body: Buffer;
}

interface Framed {
  readonly body: string;
  readonly rest: string;
}

/** The responses in `received` to requests with `methods`, and the bytes after them. */
export function responsesIn(received: string, methods: readonly string[], isClosed: boolean) {
  const responses: RawResponse[] = [];
  let finals = 0;
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) break;
    const head = rest.slice(0, end);
    const status = Number(head.split(' ', 2)[1]);
    const isInterim = status < 200;
    const hasBody = !isInterim && status !== 204 && status !== 304 && methods[finals] !== 'HEAD';
    const after = rest.slice(end + 4);
    const framed = hasBody ? bodyIn(head, after, isClosed) : { body: '', rest: after };
    if (!framed) break;
    responses.push({ lines: head.split('\r\n'), body: Buffer.from(framed.body, 'latin1') });
    if (!isInterim) finals += 1;
    rest = framed.rest;
  }
  return { responses, finals, rest };
}

/** The body at the start of `text` (RFC 9112 §6.3); undefined if it is not complete. */
function bodyIn(head: string, text: string, isClosed: boolean): Framed | undefined {
  if (/^transfer-encoding: chunked$/im.test(head)) return chunksIn(text);
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (length === undefined) return isClosed ? { body: text, rest: '' } : undefined;
  const end = Number(length);
  return text.length < end ? undefined : { body: text.slice(0, end), rest: text.slice(end) };
}

function chunksIn(text: string): Framed | undefined {
  const pieces: string[] = [];
  for (let start = 0; ;) {
    const end = text.indexOf('\r\n', start);
    if (end === -1) return undefined;
    const size = Number.parseInt(text.slice(start, end), 16);
    const next = end + 2 + size + 2;
    if (text.length < next) return undefined;
    if (size === 0) return { body: pieces.join(''), rest: text.slice(next) };
    pieces.push(text.slice(end + 2, end + 2 + size));
    start = next;
  }
}

/** A TCP connection to the server at `origin`. A server that closes while bytes are in transit may send a reset. */
export const connect = (origin: string): net.Socket =>
  net.connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => undefined);

/** Sends `bytes`, and closes after as many responses as `methods`. Resolves to all that arrived until the server closed. */
export function exchange(origin: string, bytes: string, methods: readonly string[]) {
  return new Promise<ReturnType<typeof responsesIn>>((resolve) => {
    const socket = connect(origin).setEncoding('latin1');
    const pieces: string[] = [];
    let length = 0;
    let tail = '';
    socket.on('data', (piece: string) => {
      pieces.push(piece);
      length += piece.length;
      tail = (tail + piece).slice(-5);
      // Parsing a long response anew for each of its pieces would be quadratic.
      if (length < 100_000 || tail === '0\r\n\r\n') check();
    });
    const check = () => {
      if (responsesIn(pieces.join(''), methods, false).finals >= methods.length) socket.end();
    };
    socket.on('close', () => resolve(responsesIn(pieces.join(''), methods, true)));
    socket.write(bytes, 'latin1');
  });
}
