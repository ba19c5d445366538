import net from 'node:net';

/** Sends `bytes` as they are and resolves to everything that comes back before the server closes the connection. */
export function sendRaw(origin: string, ...bytes: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectRaw(origin);
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (received += chunk));
    socket.on('close', () => resolve(received));
    // A server that closes while bytes are still on their way may answer them with a reset.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) reject(error);
    });
    for (const part of bytes) socket.write(part, 'latin1');
  });
}

/** A bare connection to the server at `origin`. */
export function connectRaw(origin: string): net.Socket {
  const { hostname, port } = new URL(origin);
  return net.connect({ host: hostname, port: Number(port) });
}

/** The responses in `text`, one after the other, each by its Content-Length. */
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
    responses.push(new Response(status === 204 ? null : rest.slice(start, end), { status, headers }));
    rest = rest.slice(end);
  }
  return responses;
}
