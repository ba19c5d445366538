import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';

export interface ReadReport {
  /** Milliseconds from the request to the last byte. */
  readonly time: number;
  /** As they came, compressed or not. */
  readonly bytes: number;
  readonly encoding: string | undefined;
}

/** Reads an answer as fast as it comes. Throws where it is cut short or not a 200. */
export async function readFast(
  origin: string,
  target: string,
  headers: Record<string, string>,
): Promise<ReadReport> {
  const started = performance.now();
  const req = http.get(`${origin}${target}`, { headers, agent: false });
  const [res] = (await once(req, 'response')) as [http.IncomingMessage];
  if (res.statusCode !== 200) throw new Error(`${target} was answered with ${res.statusCode}`);
  let bytes = 0;
  res.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(res, 'end');
  return { time: performance.now() - started, bytes, encoding: res.headers['content-encoding'] };
}

/** Asks and then reads nothing. Returns how to hang up. */
export async function stall(
  origin: string,
  target: string,
  headers: Record<string, string>,
): Promise<() => void> {
  const { hostname, port } = new URL(origin);
  const socket = net.connect(Number(port), hostname).pause();
  socket.on('error', () => {});
  await once(socket, 'connect');
  const lines = Object.entries({ Host: hostname, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return () => socket.destroy();
}
