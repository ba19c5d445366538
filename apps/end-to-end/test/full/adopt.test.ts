import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder, originOf, startProcess, stopAtEnd, until } from '@kit/server/testing';

/* `npm run adopt` on a copy of the workspace, with a contract that shares nothing with this repository's. */

const root = path.resolve(import.meta.dirname, '../../../..');
/** Small, open in parts, without house rules: no plans, no error codes, no examples, a tag that is no file name. */
const CONTRACT = `openapi: 3.1.0
info: { title: Files of everyone, version: v2.1 }
security: [{ key: [] }]
paths:
  /files:
    post:
      tags: [..]
      operationId: addFile
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [name], properties: { name: { type: string } } } } }
      responses:
        '201': { description: Kept., content: { application/json: { schema: { $ref: '#/components/schemas/File' } } } }
  /files/{fileId}:
    get:
      tags: [con]
      operationId: readFile
      parameters: [{ name: fileId, in: path, required: true, schema: { type: string, format: uuid } }]
      responses:
        '200': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/File' } } } }
  /count:
    get:
      operationId: count
      responses: { '200': { description: How many., content: { application/json: { schema: { type: integer } } } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    File:
      type: object
      required: [id, name]
      properties: { id: { type: string, format: uuid, readOnly: true }, name: { type: string, minLength: 1 } }
`;

const folder = newFolder();
const inCopy = (name: string) => path.join(folder, name);
const textOf = (name: string) => readFileSync(inCopy(name), 'utf8');
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });

/** Runs a script of the copy. */
function run(script: string, ...args: string[]) {
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', script, '--', ...args], options);
  return { status, said: `${stdout}${stderr}` };
}
const adopt = (...args: string[]) => run('adopt', inCopy('../contract.yaml'), ...args);

beforeAll(() => {
  const skipped = ['node_modules', 'dist', '.git', '.turbo', '.data', 'coverage'];
  cpSync(root, folder, {
    recursive: true,
    filter: (source) => source === root || !skipped.includes(path.basename(source)),
  });
  // Separate links, because it renames its packages.
  const own = ['.bin', '.cache', '@kit', `@${(JSON.parse(textOf('service.json')) as { name: string }).name}`];
  for (const place of ['node_modules', 'packages/kit/server/node_modules']) {
    const installed = readdirSync(path.join(root, place));
    mkdirSync(inCopy(place));
    for (const name of installed.filter((each) => !own.includes(each)))
      symlinkSync(path.join(root, place, name), inCopy(`${place}/${name}`));
  }
  cpSync(path.join(root, 'node_modules/.bin'), inCopy('node_modules/.bin'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  mkdirSync(inCopy('node_modules/@kit'));
  for (const name of readdirSync(inCopy('packages/kit')).filter((each) => each !== 'LICENSE'))
    symlinkSync(inCopy(`packages/kit/${name}`), inCopy(`node_modules/@kit/${name}`));
  writeFileSync(inCopy('../contract.yaml'), CONTRACT);
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message=start');
});

test.each([
  ['a name that is no name', ['--name', '../up'], /--name must be/],
  ['the name of the kit', ['--name', 'kit'], /--name kit is taken/],
  ['no name', [], /FILE and --name are needed/],
])('adopt refuses %s, and changes nothing', (_what, args, reason) => {
  const { status, said } = adopt(...args);
  expect([status, said]).toEqual([status === 2 ? 2 : 1, expect.stringMatching(reason)]);
  expect(git('status', '--porcelain')).toBe('');
});

test('adopt refuses a contract that cannot be served, and a working tree with changes', () => {
  const bad = inCopy('../bad.yaml');
  writeFileSync(bad, CONTRACT.replace('in: header', 'in: cookie'));
  expect(run('adopt', bad, '--name', 'files')).toMatchObject({
    status: 1,
    said: expect.stringMatching(/:\d+:\d+:/) as string,
  });
  expect(git('status', '--porcelain')).toBe('');
  writeFileSync(inCopy('new.txt'), '');
  expect(adopt('--name', 'files')).toMatchObject({
    status: 1,
    said: expect.stringContaining('--force') as string,
  });
  execFileSync('rm', [inCopy('new.txt')]);
});

describe('an adopted repository', () => {
  beforeAll(() => {
    const { status, said } = adopt('--name', 'my-files');
    expect([status, said]).toEqual([0, expect.stringContaining('3 operations')]);
    git('add', '--all');
    git(
      '-c',
      'user.name=test',
      '-c',
      'user.email=test@example.com',
      'commit',
      '--quiet',
      '--message=adopted',
    );
  });

  test('has the contract byte for byte, and says the name of the service before nowhere', () => {
    expect(textOf('openapi.yaml')).toBe(CONTRACT);
    expect(JSON.parse(textOf('service.json'))).toMatchObject({ name: 'my-files' });
    const found = spawnSync('git', ['grep', '-il', 'petstore', '--', '.', ':!packages/kit'], { cwd: folder });
    expect(found.stdout.toString()).toBe('');
    const folders = readdirSync(inCopy('apps/server/src'), { withFileTypes: true });
    expect(folders.filter((each) => each.isDirectory()).map(({ name }) => name)).toEqual([
      'api',
      'con-api',
      'count',
    ]);
  });

  test('is adopted once', () => {
    expect(adopt('--name', 'other')).toMatchObject({
      status: 1,
      said: expect.stringContaining('already') as string,
    });
  });

  test.each(['typecheck', 'lint:format', 'lint:layers', 'contract:diff', 'contract:lint'])(
    'passes %s',
    (script) => {
      expect(run(script)).toMatchObject({ status: 0 });
      expect(run('generate', '--check')).toMatchObject({ status: 0 });
    },
  );

  test.each(['apps/server', 'packages/client', 'packages/mcp'])('passes the tests of %s', (place) => {
    const jest = inCopy('node_modules/jest/bin/jest.js');
    const { status, stderr } = spawnSync(process.execPath, [jest], { cwd: inCopy(place), encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.stringContaining('passed')]);
  });

  test('responds with examples at the address it prints, and lists open work', async () => {
    const args = [
      '--import',
      'tsx',
      'apps/server/src/main.ts',
      'serve',
      '--demo',
      '--validate-responses',
      '--port',
      '0',
    ];
    const running = startProcess(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, DATA_DIR: newFolder() },
      stdio: 'pipe',
    });
    stopAtEnd('service', () => running.kill('SIGKILL'));
    const origin = await originOf(running);
    await until(() => running.output.stdout.includes('Try it:'));
    const [line = ''] = /curl .*/.exec(running.output.stdout) ?? [];
    expect(line).toContain(`${origin}`);
    const answer = execFileSync('sh', ['-c', `${line} -s -i`], { encoding: 'utf8' });
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*^X-Example: true\r$/m);

    const key = /X-Key: ([^']+)/.exec(line)?.[1] ?? '';
    const added = await fetch(`${origin}/files`, {
      method: 'POST',
      headers: { 'x-key': key, 'content-type': 'application/json' },
      body: '{"name":"a"}',
    });
    expect([added.status, await added.json()]).toEqual([
      201,
      { id: expect.stringMatching(/^[\da-f-]{36}$/) as string, name: 'text' },
    ]);
    expect(run('todo').said).toContain(
      'apps/server/src/con-api/handlers.ts:9  readFile  GET /files/{fileId}',
    );
    expect(git('status', '--porcelain')).toBe('');
  });
});
