// `npm start`: builds what is stale, then serves. In one process, so that signals reach the server.
import { spawnSync } from 'node:child_process';

const build = spawnSync(
  'npx',
  ['turbo', 'run', 'build', '--filter=@petstore/server', '--output-logs=errors-only', '--log-prefix=none'],
  { stdio: ['ignore', 2, 2], shell: process.platform === 'win32' },
);
if (build.status !== 0) process.exit(build.status ?? 1);

process.argv.push('serve');
await import('../apps/server/bin/petstore.js');
