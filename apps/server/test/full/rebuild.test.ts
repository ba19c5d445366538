import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { stopAtEnd, newFolder, originOf, startProcess } from '@contract-kit/local-stack/testing';
import { root } from '../support/workspace.ts';

test('a running service renders its pages even after its program was rebuilt', async () => {
  const folder = newFolder();
  const copy = path.join(folder, 'apps/server');
  mkdirSync(copy, { recursive: true });
  for (const name of ['bin', 'dist', 'package.json', 'scripts', 'src'])
    cpSync(path.join(root, 'apps/server', name), path.join(copy, name), { recursive: true });
  for (const name of ['openapi.yaml', 'service.json', 'packages/contract/src', 'packages/kit', 'scripts'])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const running = startProcess(
    process.execPath,
    [path.join(copy, 'bin/service.js'), 'serve', '--port', '0'],
    {
      env: { DATA_DIR: newFolder() },
    },
  );
  stopAtEnd('service', () => running.kill('SIGKILL'));
  const origin = await originOf(running);
  for (const file of ['docs/html', 'docs/markdown', 'docs/openapi', 'pipeline/serve-pages'])
    appendFileSync(
      path.join(folder, `packages/kit/server/src/${file}.ts`),
      '\n(process.stdin as { isRebuilt?: boolean }).isRebuilt = true;\n',
    );
  execFileSync(process.execPath, [path.join(copy, 'scripts/bundle.mjs')]);
  for (const page of ['/docs', '/docs.md', '/llms.txt', '/openapi.yaml'])
    expect([page, (await fetch(origin + page)).status]).toEqual([page, 200]);
});
