import { once } from 'node:events';
import net from 'node:net';
import { stopAtEnd } from './at-end.ts';

/** Passes TCP connections on to a loopback port, like a name that moves: those that are open stay where they are. */
export async function startRelay(to: number) {
  let target = to;
  /** Whether what the server sends no longer arrives. */
  let isMute = false;
  /** Whether nothing is passed on, and no end of a connection is noticed. */
  let isHung = false;
  let isAway = false;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    if (isAway) {
      client.destroy();
      return;
    }
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
      if (isHung) from.pause();
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
    /** Passes nothing on, in both directions, until `resume`: then what was sent meanwhile. */
    hang: () => {
      isHung = true;
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      isHung = false;
      for (const socket of sockets) socket.resume();
    },
    /** Closes every connection, also new ones, until `comeBack`. */
    goAway: () => {
      isAway = true;
      cut();
    },
    comeBack: () => void (isAway = false),
    /** Closes every connection. */
    cut,
  };
}
