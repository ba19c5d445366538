import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ask, findProgram, startProgram, untilReady, type Program, type ServerOptions } from './program.ts';

// Where Debian puts it, which is not on everybody's path.
const nginx = findProgram('nginx', '/usr/sbin');

export const hasNginx = nginx !== undefined;

const configuration = path.resolve(import.meta.dirname, '../../deploy/nginx.conf');

/** What nginx would write to where only root may. */
const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'] as const;

export interface NginxOptions extends ServerOptions {
  /** The ports that the instances listen on, on the loopback address. */
  readonly instances: readonly number[];
}

/** Starts nginx with `deploy/nginx.conf` in front of `instances`, and resolves when it listens. */
export async function startNginx({ folder, port, instances, log, detached }: NginxOptions): Promise<Program> {
  if (!nginx) throw new Error('nginx is not installed');
  mkdirSync(folder, { recursive: true });
  // Root's nginx has workers of another user, who write below this folder.
  chmodSync(folder, 0o711);
  const file = path.join(folder, 'nginx.conf');
  copyFileSync(configuration, file);
  const server = [
    `listen 127.0.0.1:${port};`,
    ...temporary.map((name) => `${name}_temp_path ${quoted(path.join(folder, name))};`),
  ];
  const upstream = instances.map((instance) => `server 127.0.0.1:${instance} fail_timeout=2s;`);
  writeFileSync(path.join(folder, 'petstore-server.conf'), `${server.join('\n')}\n`);
  writeFileSync(path.join(folder, 'petstore-upstream.conf'), `${upstream.join('\n')}\n`);
  const here = `daemon off; error_log stderr; pid ${quoted(path.join(folder, 'nginx.pid'))};`;
  const program = startProgram(nginx, ['-p', folder, '-c', file, '-g', here], { detached, log });
  await untilReady(program, async () => (await ask(port, 'GET /metrics HTTP/1.0\r\n\r\n')) !== undefined);
  return program;
}

function quoted(file: string): string {
  return JSON.stringify(file);
}
