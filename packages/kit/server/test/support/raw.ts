import { once } from 'node:events';
import net from 'node:net';

/** Sends `bytes`. Resolves to everything received before the server closes the connection. */
export function sendRaw(origin: string, ...bytes: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectRaw(origin);
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (received += chunk));
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

/** Resolves to the response to `request` on a new connection. Rejects if anything else arrives. */
export async function askRaw(origin: string, request: RawRequest): Promise<Response> {
  const { method, target, headers, body } = request;
  const head = [['Host', 'x'], ['Connection', 'close'], ...headers];
  if (body !== undefined) head.push(['Content-Length', String(Buffer.byteLength(body))]);
  const lines = [`${method} ${target} HTTP/1.1`, ...head.map((item) => item.join(': '))];
  const bytes = `${lines.join('\r\n')}\r\n\r\n${Buffer.from(body ?? '').toString('latin1')}`;
  return answerTo(origin, bytes);
}

/** Sends `bytes`. Resolves to the response, or rejects if more is received. */
export async function answerTo(origin: string, ...bytes: string[]): Promise<Response> {
  const answers = responsesIn(await sendRaw(origin, ...bytes));
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

/** The consecutive responses in `text`, split by Content-Length. */
export function responsesIn(text: string): Response[] {
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
    const end = start + Number(headers.get('content-length') ?? 0);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (!(status >= 200)) throw new Error(`this is no answer: ${JSON.stringify(rest)}`);
    // An empty string would set a Content-Type.
    const body = Buffer.from(rest.slice(start, end), 'latin1');
    responses.push(new Response(body.length > 0 ? body : null, { status, headers }));
    rest = rest.slice(end);
  }
  return responses;
}
