import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '@contract-kit/test-support/testing';
import { root } from './support/workspace.ts';

/* `ps` shows command lines to every user of a machine. */

const operating = readFileSync(path.join(root, 'docs/operating.md'), 'utf8');

test('no documented command has a password in its command line', () => {
  for (const folder of ['docs', 'docs/guide', 'deploy'])
    for (const name of readdirSync(path.join(root, folder)).filter((name) => /\.(md|sh|yaml)$/.test(name)))
      expect(readFileSync(path.join(root, folder, name), 'utf8')).not.toMatch(
        /(?:psql|pg_dump|pg_restore|redis-cli)\b[^`\n]*\$\{?(?:DATABASE_URL|REDIS_URL)/,
      );
});

test.each([
  ['psql', 'DATABASE_URL', 'PGPASSWORD', 'postgresql://shop@db.example/shop'],
  ['pg_dump', 'DATABASE_URL', 'PGPASSWORD', 'postgresql://shop@db.example/shop'],
  ['redis-cli', 'REDIS_URL', 'REDISCLI_AUTH', 'redis://db.example/shop'],
])('%s gets its password in the environment, decoded', (program, setting, variable, bare) => {
  const user = program === 'redis-cli' ? 'default' : 'shop';
  const [, functions = ''] = /(^bare\(\) {[^]*?^secret\(\) {.*}$)/m.exec(operating) ?? [];
  const line = operating
    .split('\n')
    .find((text) => text.startsWith(`${variable}=`) && text.includes(program));
  const folder = newFolder();
  // It prints its arguments and the password.
  const stub = path.join(folder, program);
  writeFileSync(stub, `#!/bin/sh\necho "$*|$${variable}"\n`);
  chmodSync(stub, 0o755);
  const url = `${bare.split('//')[0]}//${user}:p%40ss%2Fword@db.example/shop`;
  const { stdout, stderr } = spawnSync('sh', ['-c', `${functions}\n${line}`], {
    env: { PATH: `${folder}:${process.env['PATH']}`, [setting]: url },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const [args, password] = stdout.trim().split('|');
  expect(args).toContain(bare);
  expect(args).not.toContain('word');
  expect(password).toBe('p@ss/word');
});
