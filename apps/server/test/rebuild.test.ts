import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { stopAtEnd } from './support/at-end.ts';
import { newFolder } from './support/folder.ts';
import { originOf, startProcess } from './support/process.ts';
import { root } from './support/workspace.ts';

test('a service that runs shows pages for the first time after its program was built anew', async () => {
  const folder = newFolder();
  const copy = path.join(folder, 'apps/server');
  mkdirSync(copy, { recursive: true });
  for (const each of ['bin', 'dist', 'package.json', 'scripts', 'src'])
    cpSync(path.join(root, 'apps/server', each), path.join(copy, each), { recursive: true });
  for (const each of ['openapi.yaml', 'packages/contract/src', 'scripts'])
    cpSync(path.join(root, each), path.join(folder, each), { recursive: true });
  for (const each of ['node_modules', 'apps/server/node_modules'])
    symlinkSync(path.join(root, each), path.join(folder, each));
  const running = startProcess(
    process.execPath,
    [path.join(copy, 'bin/petstore.js'), 'serve', '--port', '0'],
    {
      env: { DATA_DIR: newFolder() },
    },
  );
  stopAtEnd('service', () => running.kill('SIGKILL'));
  const origin = await originOf(running);
  for (const file of ['pages/html', 'pages/markdown', 'pages/contract', 'pages/serve-pages'])
    appendFileSync(path.join(copy, `dist/${file}.js`), '\nprocess.stdin.isRebuilt = true;\n');
  execFileSync(process.execPath, [path.join(copy, 'scripts/bundle.mjs')]);
  for (const page of ['/docs', '/docs.md', '/llms.txt', '/openapi.yaml'])
    expect([page, (await fetch(origin + page)).status]).toEqual([page, 200]);
});
