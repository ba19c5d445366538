import { once } from 'node:events';
import net from 'node:net';
import { STREAM_TYPES } from '@contract-kit/core/model';

/** How long a stream of items is read, in milliseconds from its head: it may have no end. */
const STREAM_TIME = 50;

/** Sends `bytes`. Resolves to everything received before the server closes the connection. */
export function sendRaw(origin: string, ...bytes: string[]): Promise<string> {
  return receive(origin, bytes, () => undefined);
}

/** As `sendRaw`. `onData` gets all that is there so far, and may end the connection. */
function receive(
  origin: string,
  bytes: readonly string[],
  onData: (received: string, socket: net.Socket) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectRaw(origin);
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
      onData(received, socket);
    });
    socket.on('close', () => resolve(received));
    // A server that closes while bytes are in transit may send a reset.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) reject(error);
    });
    for (const part of bytes) socket.write(part, 'latin1');
  });
}

/** A request that is sent without normalization. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Buffer | undefined;
}

/**
 * Resolves to the response to `request` on a new connection; to the beginning of one that is a stream of items. Rejects if
 * anything else arrives.
 */
export async function askRaw(origin: string, request: RawRequest): Promise<Response> {
  const { method, target, headers, body } = request;
  const head = [['Host', 'x'], ['Connection', 'close'], ...headers];
  if (body !== undefined) head.push(['Content-Length', String(Buffer.byteLength(body))]);
  const lines = [`${method} ${target} HTTP/1.1`, ...head.map((item) => item.join(': '))];
  const bytes = `${lines.join('\r\n')}\r\n\r\n${Buffer.from(body ?? '').toString('latin1')}`;
  let timer: NodeJS.Timeout | undefined;
  let isLeft = false;
  const leave = (socket: net.Socket) => {
    isLeft = true;
    socket.destroy();
  };
  const received = await receive(origin, [bytes], (text, socket) => {
    if (!timer && isStream(text)) timer = setTimeout(leave, STREAM_TIME, socket);
  });
  clearTimeout(timer);
  return onlyOne(responsesIn(received, isLeft));
}

function isStream(text: string): boolean {
  const [head = '', ...rest] = text.split('\r\n\r\n', 2);
  const type = /^content-type: ([^;\r]*)/im.exec(head)?.[1] ?? '';
  return rest.length > 0 && /^transfer-encoding: chunked/im.test(head) && STREAM_TYPES.includes(type);
}

/** Sends `bytes`. Resolves to the response, or rejects if more is received. */
export async function responseTo(origin: string, ...bytes: string[]): Promise<Response> {
  return onlyOne(responsesIn(await sendRaw(origin, ...bytes)));
}

function onlyOne(answers: readonly Response[]): Response {
  const [answer] = answers;
  if (!answer || answers.length > 1) throw new Error(`there is not one answer, but ${answers.length}`);
  return answer;
}

/** A TCP connection to the server at `origin`. Connection errors are ignored. */
export function connectRaw(origin: string): net.Socket {
  const { hostname, port } = new URL(origin);
  return net.connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
}

/** `count` such connections, once they are open. */
export async function connectAll(origin: string, count: number): Promise<net.Socket[]> {
  const sockets = Array.from({ length: count }, () => connectRaw(origin));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

/** The content of the chunks from `start`, and where the last one ends (RFC 9112 §7.1). `isLeft` as in `responsesIn`. */
function chunksIn(text: string, start: number, isLeft: boolean): [content: string, end: number] {
  let content = '';
  for (let at = start; ;) {
    const line = text.indexOf('\r\n', at);
    const from = line + 2;
    const size = parseInt(text.slice(at, line), 16);
    if (line === -1 || !(from + size + 2 <= text.length)) {
      if (isLeft) return [content, text.length];
      throw new Error('the last chunk is missing');
    }
    content += text.slice(from, from + size);
    at = from + size + 2;
    if (size === 0) return [content, at];
  }
}

/** The consecutive responses in `text`, split by Content-Length or by chunks. The reader of the last one may have left. */
export function responsesIn(text: string, isLeft = false): Response[] {
  const responses: Response[] = [];
  for (let rest = text; rest !== '';) {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const [statusLine = '', ...lines] = head.split('\r\n');
    const headers = new Headers(
      lines.map((line): [string, string] => [
        line.slice(0, line.indexOf(':')),
        line.slice(line.indexOf(':') + 1),
      ]),
    );
    const start = head.length + 4;
    const stop = start + Number(headers.get('content-length') ?? 0);
    const isChunked = headers.get('transfer-encoding') === 'chunked';
    const [content, end] = isChunked ? chunksIn(rest, start, isLeft) : [rest.slice(start, stop), stop];
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (!(status >= 200)) throw new Error(`this is no answer: ${JSON.stringify(rest)}`);
    // An empty string would set a Content-Type.
    const body = Buffer.from(content, 'latin1');
    responses.push(new Response(body.length > 0 ? body : null, { status, headers }));
    rest = rest.slice(end);
  }
  return responses;
}
