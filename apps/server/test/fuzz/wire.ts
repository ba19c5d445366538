import type { Socket } from 'node:net';
import { connectRaw } from '../support/raw.ts';
import type { Header } from './credentials.ts';

/** A request as it goes over the wire: nothing is normalised. */
export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body?: string | Buffer | undefined;
}

export interface Answer {
  readonly status: number;
  /** By name in lower case. A header that was sent more than once has all its values. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
  /** Bytes after the end of the answer: there must be none. */
  readonly surplus: number;
}

/**
 * One connection to the server at `origin`, opened anew whenever it has been closed. An answer that is not whole after
 * `patience` milliseconds is an error.
 */
export function createWire(origin: string, { patience }: { patience: number }) {
  let socket: Socket | undefined;

  function send(request: WireRequest): Promise<Answer> {
    const connection = socket && !socket.destroyed && socket.writable ? socket : connectRaw(origin);
    socket = connection;
    // Only the end of the connection tells for sure that nothing follows an answer without a body.
    const isLast = ['HEAD', 'OPTIONS'].includes(request.method);
    return new Promise((resolve, reject) => {
      let received = Buffer.alloc(0);
      const settle = (outcome: Answer | Error) => {
        clearTimeout(timer);
        connection.removeAllListeners('data').removeAllListeners('close').removeAllListeners('error');
        connection.on('error', () => undefined);
        if (outcome instanceof Error) {
          connection.destroy();
          reject(outcome);
        } else resolve(outcome);
      };
      const timer = setTimeout(() => settle(new Error(`no whole answer within ${patience} ms`)), patience);
      connection.on('data', (chunk) => {
        received = Buffer.concat([received, chunk]);
        const answer = isLast ? undefined : readAnswer(received, request.method);
        if (!answer) return;
        if (answer.headers['connection'] === 'close' || answer.surplus > 0) connection.destroy();
        settle(answer);
      });
      connection.on('error', () => undefined);
      connection.on('close', () => {
        settle(
          readAnswer(received, request.method) ??
            new Error(`the connection was closed after ${received.length} bytes of an answer`),
        );
      });
      connection.write(bytesOf(request, isLast));
    });
  }

  return {
    send,
    close: () => void socket?.destroy(),
  };
}

function bytesOf({ method, target, headers, body }: WireRequest, isLast: boolean): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: x',
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  if (isLast) lines.push('Connection: close');
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body ?? '')]);
}

/** The answer at the start of `bytes`, or undefined while it is not all there. */
export function readAnswer(bytes: Buffer, method: string): Answer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(statusLine)?.[1]);
  const rest = bytes.subarray(end + 4);
  if (status >= 100 && status < 200) return readAnswer(rest, method);
  const headers = headersIn(lines);
  const head = { status, headers };
  if (method === 'HEAD' || status === 204 || status === 304) {
    return { ...head, body: Buffer.alloc(0), surplus: rest.length };
  }
  if (headers['transfer-encoding'] === 'chunked') return readChunks(head, rest);
  const length = Number(headers['content-length'] ?? 0);
  if (rest.length < length) return undefined;
  return { ...head, body: rest.subarray(0, length), surplus: rest.length - length };
}

function headersIn(lines: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  }
  return headers;
}

function readChunks(head: Pick<Answer, 'status' | 'headers'>, bytes: Buffer): Answer | undefined {
  const chunks: Buffer[] = [];
  for (let rest = bytes; ;) {
    const line = rest.indexOf('\r\n');
    if (line === -1) return undefined;
    const length = Number.parseInt(rest.subarray(0, line).toString('latin1'), 16);
    const start = line + 2;
    if (rest.length < start + length + 2) return undefined;
    chunks.push(rest.subarray(start, start + length));
    rest = rest.subarray(start + length + 2);
    if (!(length > 0)) return { ...head, body: Buffer.concat(chunks), surplus: rest.length };
  }
}
