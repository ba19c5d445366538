import { once } from 'node:events';
import net from 'node:net';
import { stopAtEnd } from './at-end.ts';

/** Passes TCP connections on to a loopback port, like a name that moves: those that are open stay where they are. */
export async function startRelay(to: number) {
  let target = to;
  /** Whether what the server sends no longer arrives. */
  let isMute = false;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const behind = net.connect(target, '127.0.0.1');
    for (const [from, into] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => into.destroy());
      from.on('close', () => sockets.delete(from) && into.destroy());
      from.on('data', (bytes) => {
        if (from === client || !isMute) into.write(bytes);
      });
      from.on('end', () => into.end());
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  stopAtEnd('database', () => {
    cut();
    return once(server.close(), 'close');
  });
  return {
    port: (server.address() as net.AddressInfo).port,
    /** Sends new connections to another port. */
    moveTo: (port: number) => void (target = port),
    /** Drops all that the server sends from now on. */
    mute: () => void (isMute = true),
    unmute: () => void (isMute = false),
    /** Closes every connection. */
    cut,
  };
}
