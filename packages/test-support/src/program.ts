import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port as number;
}

/** As many free ports on the loopback address, no two the same. */
export async function freePorts(count: number): Promise<number[]> {
  const servers: net.Server[] = [];
  while (servers.length < count) {
    // Below the system's ports for outgoing connections, one of which could take it first.
    const server = net.createServer().listen(randomInt(10_000, 22_000), '127.0.0.1');
    const isFree = await once(server, 'listening').then(Boolean, () => false);
    if (isFree) servers.push(server);
  }
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** How long a program may take to end gracefully before it is killed, in milliseconds. */
const PATIENCE = 15_000;

export interface Program {
  readonly child: ChildProcess;
  readonly isRunning: boolean;
  /** Ends it, by default gracefully, and resolves when it has exited. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

export interface ProgramOptions extends SpawnOptions {
  /** The file that its output is appended to; without one it is discarded. */
  readonly log?: string | undefined;
  /** The signals that end it gracefully, and that end it at once with all its processes. */
  readonly signals?: readonly [finish: NodeJS.Signals, atOnce: NodeJS.Signals];
}

/** Kills each program that still runs. */
const endings = new Set<() => void>();
process.on('exit', () => {
  for (const end of endings) end();
});

/** Starts a program. It ends with this process, except after kill -9. */
export function startProgram(
  file: string,
  args: string[],
  { log, signals: [finish, atOnce] = ['SIGTERM', 'SIGKILL'], ...options }: ProgramOptions = {},
): Program {
  const output = log === undefined ? undefined : openSync(log, 'a', 0o600);
  const child = spawn(file, args, { stdio: ['ignore', output ?? 'ignore', output ?? 'ignore'], ...options });
  if (output !== undefined) closeSync(output);
  // A program that cannot be started has no pid.
  child.on('error', () => {});
  const endAtOnce = () => void child.kill(atOnce);
  endings.add(endAtOnce);
  child.once('exit', () => endings.delete(endAtOnce));
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    child,
    get isRunning() {
      return isRunning();
    },
    async end(signal = finish) {
      if (!isRunning()) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      const patience = setTimeout(endAtOnce, PATIENCE);
      await ended;
      clearTimeout(patience);
    },
  };
}

export interface ServerOptions {
  /** The folder of its data; created if needed. */
  readonly folder: string;
  /** Its port on the loopback address. */
  readonly port: number;
  readonly log?: string | undefined;
  /** Shields it from Ctrl-C, which the terminal sends to all foreground processes. */
  readonly detached?: boolean;
}

/** Resolves once `isReady` is true. Throws if `program` ends first. Kills it after half a minute. */
export async function untilReady(program: Program, isReady: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await isReady())) {
    if (!program.isRunning) throw new Error('it ended before it was ready');
    if (performance.now() > deadline) {
      await program.end('SIGKILL');
      throw new Error('it was not ready within 30 seconds');
    }
    await sleep(20);
  }
}

/** The first response of a loopback port to `request`; undefined if there is none. */
export function ask(port: number, request: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(request));
    socket.once('data', (chunk) => {
      resolve(chunk.toString('latin1'));
      socket.destroy();
    });
    socket.setTimeout(1_000, () => socket.destroy());
    socket.once('error', () => {});
    socket.once('close', () => resolve(undefined));
  });
}
