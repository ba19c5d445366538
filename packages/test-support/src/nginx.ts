import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathOf } from './installed.ts';
import { ask, startProgram, untilReady, type Program, type ServerOptions } from './program.ts';

/** The files for operators of this repository's service. */
const ours = path.resolve(import.meta.dirname, '../../../deploy');

/** The name of the file of `deploy` that ends in `ending`. */
function nameIn(deploy: string, ending: string): string {
  const name = readdirSync(deploy).find((name) => name.endsWith(ending));
  if (name === undefined) throw new Error(`${deploy} has no file that ends in ${ending}`);
  return name;
}

export interface NginxOptions extends ServerOptions {
  /** The ports that the instances listen on, on the loopback address. */
  readonly instances: readonly number[];
  /** The folder with `nginx.conf` and the files that it includes. Default: that of this repository. */
  readonly deploy?: string;
  /** Further lines of the file with the `listen` line. */
  readonly lines?: string;
}

/** Settings that make nginx write to `folder` instead of places for root. */
function pathsIn(folder: string): { server: string; main: string } {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const inFolder = (name: string) => JSON.stringify(path.join(folder, name));
  return {
    server: temporary.map((name) => `${name}_temp_path ${inFolder(name)};\n`).join(''),
    main: `error_log stderr; pid ${inFolder('nginx.pid')};`,
  };
}

/** nginx's complaints about the files of `deploy`; undefined if there are none. */
export function mistakesInDeploy(folder: string, deploy = ours): string | undefined {
  cpSync(deploy, folder, { recursive: true });
  const { server, main } = pathsIn(folder);
  const file = path.join(folder, nameIn(deploy, '-server.conf'));
  writeFileSync(file, readFileSync(file, 'utf8').replace('/var/log/nginx/', `${folder}/`) + server);
  const args = ['-t', '-q', '-p', folder, '-c', path.join(folder, 'nginx.conf'), '-g', main];
  const { status, stderr } = spawnSync(pathOf('nginx'), args, { encoding: 'utf8' });
  return status === 0 ? undefined : stderr;
}

/** Starts nginx with the `nginx.conf` of `deploy` in front of `instances`, and resolves when it listens. */
export async function startNginx(options: NginxOptions): Promise<Program> {
  const { folder, port, instances, deploy = ours, lines = '', log, detached } = options;
  mkdirSync(folder, { recursive: true });
  // As root, nginx has workers of another user, which write below this folder.
  chmodSync(folder, 0o711);
  const file = path.join(folder, 'nginx.conf');
  copyFileSync(path.join(deploy, 'nginx.conf'), file);
  const { server, main } = pathsIn(folder);
  const upstream = instances
    .map((instance) => `server 127.0.0.1:${instance} max_fails=3 fail_timeout=1s;\n`)
    .join('');
  const [, format = ''] = /^ *log_format (\S+)/m.exec(readFileSync(file, 'utf8')) ?? [];
  writeFileSync(
    path.join(folder, nameIn(deploy, '-server.conf')),
    `listen 127.0.0.1:${port};\naccess_log ${JSON.stringify(path.join(folder, 'access.log'))} ${format};\n${lines}\n${server}`,
  );
  writeFileSync(path.join(folder, nameIn(deploy, '-upstream.conf')), upstream);
  const args = ['-p', folder, '-c', file, '-g', `daemon off; ${main}`];
  // Killing nginx itself would leave its workers behind.
  const program = startProgram(pathOf('nginx'), args, { detached, log, signals: ['SIGQUIT', 'SIGTERM'] });
  await untilReady(program, async () => (await ask(port, 'GET /metrics HTTP/1.0\r\n\r\n')) !== undefined);
  return program;
}
