import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findProgram, freePort } from '../../../scripts/machine/program.ts';
import { until } from '../../server/test/support/until.ts';
import type { Bench } from './bench.ts';
import { exchange } from './exchange.ts';
import { pinned } from './machine.ts';

const program = findProgram('nginx', '/usr/sbin');
export const hasNginx = program !== undefined;

/** nginx that spreads requests over each group of servers. Returns where each group is reached. */
export async function startNginx(bench: Bench, groups: readonly (readonly string[])[]): Promise<string[]> {
  if (!program) throw new Error('nginx is not installed');
  const folder = path.join(bench.folder, 'nginx');
  mkdirSync(folder);
  const ports = await Promise.all(groups.map(() => freePort()));
  const config = path.join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr crit;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${folder}/${each};`).join(' ')}
  ${groups
    .map(
      (origins, index) => `
  upstream group${index} { ${origins.map((origin) => `server ${new URL(origin).host};`).join(' ')} keepalive 32; }
  server {
    listen 127.0.0.1:${ports[index]};
    location / { proxy_pass http://group${index}; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }`,
    )
    .join('')}
}
`,
  );
  const [command, args] = pinned('others', program, ['-p', folder, '-c', config]);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  bench.onEnd(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGQUIT');
    await once(child, 'exit');
  });
  const entries = ports.map((port) => `http://127.0.0.1:${port}`);
  for (const entry of entries) {
    await until(() =>
      exchange(entry, { method: 'GET', target: '/healthz' }).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  }
  return entries;
}
