import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '@contract-kit/test-support/testing';
import { root } from '@petstore/server/testing';

/** What the lint of all that is published prints for a page with `text`. */
function lint(text: string): string {
  const file = path.join(newFolder(), 'page.md');
  writeFileSync(file, text);
  const args = ['scripts/lint-commands.mjs', file];
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' }).stdout.replaceAll(file, 'page');
}

test.each([
  'npx -y @petstore/mcp',
  'npx petstore serve',
  'Run `npx petstore-mcp`.',
  'npx @petstore/mcp@latest --read-only',
  'npx --package=@petstore/mcp petstore-mcp',
  'npm exec -- petstore keys list',
  'pnpm dlx @petstore/mcp',
  'npm install @petstore/client',
  'npm create contract-kit@latest',
  'npm i --save-dev react @petstore/client@1',
  'yarn add @petstore/client.',
  'npm install @petstore/client --registry=https://registry.example',
  'npx {{name}} serve',
  'console.log(`npx ${command} keys create`);',
  'npm install @{{name}}/client',
  '{ "command": "npx", "args": ["-y", "@petstore/mcp"] }',
  '{ "command": "npx",\n  "args": ["-y", "@petstore/mcp"] }',
])('finds %j, which takes a package from a registry', (text) => {
  expect(lint(`Some text.\n${text}\n`)).toMatch(/^page:2: .+\n$/);
});

test.each([
  'npx --no-install petstore serve',
  'npx turbo run test --filter=@petstore/client',
  'npm test -w apps/server',
  'npm pack --workspace @petstore/client',
  'npm install ../petstore/petstore-client-1.0.0.tgz',
  'npm install express',
  'return `npm install ${name} --${scope}registry=${registry}`;',
  'npm run cluster',
  'node packages/mcp/bin/petstore-mcp.js',
])('takes %j', (text) => {
  expect(lint(text)).toBe('');
});
