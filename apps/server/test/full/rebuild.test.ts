import { appendFileSync, readFileSync } from 'node:fs';
import { stopAtEnd, newFolder, originOf, startProcess } from '@contract-kit/test-support/testing';
import { copyWorkspace } from '../support/workspace.ts';

test('a running service renders its pages even after its program was rebuilt', async () => {
  const workspace = copyWorkspace();
  const { file } = workspace;
  const build = () => workspace.run('packages/kit/cli/bin/contract-kit.js', 'build', 'server');
  await build();
  const bundled = () => readFileSync(file('apps/server/dist/bundle/main.js'), 'utf8');
  const before = bundled();
  const running = startProcess(
    process.execPath,
    [file('apps/server/bin/service.js'), 'serve', '--port', '0'],
    { env: { DATA_DIR: newFolder() } },
  );
  stopAtEnd('service', () => running.kill('SIGKILL'));
  const origin = await originOf(running);
  for (const name of [
    'docs/html/page',
    'docs/markdown/page',
    'docs/search/search-index',
    'docs/openapi',
    'pipeline/serve-pages',
  ])
    appendFileSync(file(`packages/kit/server/dist/${name}.js`), '\nprocess.stdin.isRebuilt = true;\n');
  await build();
  expect(bundled()).not.toBe(before);
  for (const page of ['/docs', '/docs/search.json', '/docs.md', '/llms.txt', '/openapi.yaml'])
    expect([page, (await fetch(origin + page)).status]).toEqual([page, 200]);
});
