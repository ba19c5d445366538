import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder, originOf, startProcess, stopAtEnd } from '@contract-kit/test-support/testing';
import { environment, output, type Repository } from '../support/repository.ts';

/* Every command and example of the README and AGENTS.md of a new repository. */

const exampleTest = (name: string, hasErrorBody: boolean) => `import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { defineService } from '@contract-kit/server';
import { startTestService } from '@contract-kit/testing';
import { contract } from '@${name}/contract';
${hasErrorBody ? "import { errorBody } from '../src/error-body.ts';\n" : ''}import { createStore } from '../src/example.ts';
import { features } from '../src/features.ts';

test('the example reads its table', async () => {
  const migrations = mkdtempSync(path.join(tmpdir(), 'migrations-'));
  mkdirSync(path.join(migrations, 'sqlite'));
  const sql = "CREATE TABLE notes (id text PRIMARY KEY, text text NOT NULL); INSERT INTO notes VALUES ('1', 'Hello')";
  writeFileSync(path.join(migrations, 'sqlite/0001-notes.sql'), sql);
  const example = { migrations, open: createStore, handlers: () => ({}) };
  const rest = { version: '1.0.0', description: 'A test.'${hasErrorBody ? ', errorBody' : ''} };
  const started = await startTestService(defineService(contract, { ...features, example }, rest));
  assert.deepEqual(await started.store.features.example.list(), [{ id: '1', text: 'Hello' }]);
  await started.stop();
});
`;

/** `use` is a function of its client, and a method without input. */
export function describePages(repositoryOf: () => Repository, [create, method]: readonly [string, string]) {
  const file = (name: string) => repositoryOf().file(name);
  const textOf = (name: string) => readFileSync(file(name), 'utf8');
  const fencesIn = (page: string, language: string) =>
    [...textOf(page).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(
      ([, code = '']) => code,
    );
  const commandsIn = (page: string) =>
    fencesIn(page, 'sh').flatMap((code) =>
      code
        .trim()
        .split('\n')
        .map((line) => line.replace(/ +#.*/, '')),
    );

  /** Starts what serves until it is stopped, on a free port, in a process group. */
  async function start(command: string) {
    const env = { ...environment, PORT: '0' };
    const service = startProcess('sh', ['-c', command], { cwd: file('.'), env, detached: true });
    const stop = () => {
      const { pid = 0, exitCode, signalCode } = service.child;
      if (exitCode === null && signalCode === null) process.kill(-pid, 'SIGTERM');
      return service.ended;
    };
    stopAtEnd('service', stop);
    return { origin: await originOf(service), stdout: service.output.stdout, stop };
  }

  test('each command of README.md and AGENTS.md runs', async () => {
    const commands = [...commandsIn('README.md'), ...commandsIn('AGENTS.md')];
    expect(commands).toEqual([
      'npm ci && npm start',
      ...['npm run todo', 'npm run dev', 'npm test', 'npm run check'],
    ]);
    for (const command of commands) {
      if (!/npm (start|run dev)$/.test(command)) {
        await output(file('.'), 'sh', '-c', command);
        continue;
      }
      const { stdout, stop } = await start(command);
      const [curl = ''] = /curl .*/.exec(stdout) ?? [];
      expect(execFileSync('sh', ['-c', `${curl} -s -i`], { encoding: 'utf8' })).toMatch(
        /^HTTP\/1.1 200 OK\r$/m,
      );
      await stop();
    }
  });

  test('each example of README.md, AGENTS.md and the README of the client compiles and runs', async () => {
    const [store = '', ...others] = fencesIn('AGENTS.md', 'ts');
    expect(others).toEqual([]);
    const examples = [...fencesIn('README.md', 'ts'), ...fencesIn('packages/client/README.md', 'ts')];
    expect(examples).toHaveLength(2);
    const made = ['apps/server/src/example.ts', 'apps/server/test/example.test.ts'];
    writeFileSync(file('apps/server/src/example.ts'), store);
    const hasErrorBody = existsSync(file('apps/server/src/error-body.ts'));
    writeFileSync(
      file('apps/server/test/example.test.ts'),
      exampleTest(path.basename(file('.')), hasErrorBody),
    );
    for (const [index, code] of examples.entries()) {
      expect(code).toContain(`const client = ${create}(`);
      made.push(`packages/client/test/example-${index}.ts`);
      writeFileSync(file(made.at(-1) ?? ''), `${code}console.log(typeof (await client.${method}()));\n`);
    }
    await repositoryOf().npm('run', 'typecheck');
    const run = (name: string, env: NodeJS.ProcessEnv = {}) =>
      spawnSync(process.execPath, ['--import', 'tsx', name], {
        cwd: file('.'),
        encoding: 'utf8',
        env: { ...environment, ...env },
      });
    expect(run('apps/server/test/example.test.ts')).toMatchObject({ status: 0 });
    const { origin, key, stop } = await repositoryOf().start();
    const [, variable = '', base = ''] =
      /`(\w+)_BASE_URL`, such as `http:\/\/127\.0\.0\.1:3000([^`]*)`/.exec(textOf('README.md')) ?? [];
    const env = { [`${variable}_BASE_URL`]: origin + base, ...(key && { [`${variable}_API_KEY`]: key }) };
    for (const name of made.slice(2))
      expect(run(name, env)).toMatchObject({ status: 0, stdout: 'object\n', stderr: '' });
    await stop();
    for (const name of made) rmSync(file(name));
  });

  test('a stop of `npm run service -- serve` ends the service', async () => {
    const args = ['run', 'service', '--', 'serve', '--port', '0'];
    const service = startProcess('npm', args, { cwd: file('.'), env: environment });
    stopAtEnd('service', () => service.kill('SIGKILL'));
    const origin = await originOf(service);
    await service.kill('SIGTERM');
    await expect(fetch(origin)).rejects.toThrow();
  });

  test('each script says in one line that the packages are not installed', async () => {
    const clone = path.join(newFolder(), 'clone');
    await repositoryOf().git('clone', '-q', '.', clone);
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: object };
    for (const script of Object.keys(scripts)) {
      const { status, stderr } = spawnSync('npm', ['run', '--silent', script], {
        cwd: clone,
        encoding: 'utf8',
        env: environment,
      });
      expect([script, status, stderr]).toEqual([
        script,
        1,
        expect.stringMatching(/^(service: )?The packages are not installed\. Run `npm ci`\.\n$/),
      ]);
    }
  });
}
