import type { Socket } from 'node:net';
import { bodyTime } from '../pipeline/wait-for-body.ts';

/** How long a client may send nothing before its connection is closed, in milliseconds. */
const SILENCE = 2_000;
/** A client that sends more than this, and more than any operation takes, is reset. */
const MAX_BYTES = 16 * 2 ** 20;
/** How often both limits are checked, in milliseconds. */
const INTERVAL = 100;

/**
 * Sends `bytes` and the end of our side, then drops what the client still sends until it closes too. Closing at once
 * would reset a client that is sending, which may lose the response and fails the write of a proxy (RFC 9112 §9.6).
 * `largest` is the most bytes of a body.
 */
export function lingeringClose(socket: Socket, largest: number, bytes = ''): void {
  if (socket.writable) socket.end(bytes);
  dropRest(socket, largest);
  socket.setTimeout(SILENCE);
  socket.resume();
}

/**
 * Resets the connection if more arrives, or arrives more slowly, than in any valid request, whose body has at most
 * `largest` bytes. The function that it returns ends this. A `data` listener would count exactly, but takes the socket from Node's parser.
 */
export function dropRest(socket: Socket, largest: number): () => void {
  const { bytesRead: before } = socket;
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const bytes = socket.bytesRead - before;
    const isSlow = performance.now() - startedAt > bodyTime(Math.min(bytes, largest));
    if (isSlow || bytes > Math.max(MAX_BYTES, largest)) socket.destroy();
  }, INTERVAL).unref();
  const end = () => {
    clearInterval(timer);
    socket.off('close', end);
  };
  socket.once('close', end);
  return end;
}
