import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { pipelineErrors } from '@contract-kit/core/errors';
import { describeWith } from '@contract-kit/test-support';
import { commandsOf, newFolder, shared, startPostgres } from '@contract-kit/test-support/testing';
import { createBare } from '../support/create-bare.ts';
import { serviceIn } from '../../src/service.ts';
import { root } from '../../src/workspace.ts';
import { linkPackages } from '../support/link-packages.ts';

/* The guide, followed: a repository of its contract, with the files that its pages name. */

const guide = path.join(root, 'docs/guide');
const textOf = (page: string) => readFileSync(path.join(guide, page), 'utf8');
const pages = readdirSync(guide).filter((name) => name.endsWith('.md'));

interface Fence {
  readonly page: string;
  readonly language: string;
  readonly code: string;
}
const fences: Fence[] = pages.flatMap((page) =>
  [...textOf(page).matchAll(/^ *```(\w*)\n([^]*?)^ *```$/gm)].map(([, language = '', code = '']) => ({
    page,
    language,
    code,
  })),
);
const fencesIn = (languages: readonly string[], of = pages) =>
  fences.filter(({ page, language }) => of.includes(page) && languages.includes(language));

/** The suites that compile and run all code of these pages. */
const TESTED_ELSEWHERE = {
  'service-pages': ['background-work.md', 'handlers.md', 'middleware.md', 'settings.md'],
  'client-pages': ['files.md', 'safe-repeats.md'],
  'jobs-page': ['jobs.md', 'schedules.md'],
  'streams-page': ['feed.md', 'streams.md'],
  'transactions-page': ['transactions.md'],
  'identity-page': ['identity.md', 'commands.md'],
};
const elsewhere = Object.values(TESTED_ELSEWHERE).flat();
const followed = pages.filter((page) => !elsewhere.includes(page));

/** The files of the guide by the name in their first line. */
const files = Object.fromEntries(
  fencesIn(['ts', 'sql'], followed).map(({ page, code }) => {
    const [, file = '', rest = ''] = /^(?:\/\/|--) (\S+)\n([^]*)/.exec(code) ?? [];
    if (file === '') throw new Error(`a fence of ${page} names no file`);
    return [file, rest];
  }),
) as Record<string, string>;

test.each(pages)('%s has less than 150 lines', (page) => {
  expect(textOf(page).split('\n').length).toBeLessThanOrEqual(150);
});

test.each(pages)('%s is in the table of contents, and its links stay in the guide', (page) => {
  expect(page === 'README.md' || textOf('README.md').includes(`](${page})`)).toBe(true);
  const links = [...textOf(page).matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  // The example is packed with the guide, too.
  const leaving = links.filter(
    (link) => !/^(https:|#|(api\/|\.\.\/\.\.\/examples\/\w+\/)?[\w-]+\.md(#|$))/.test(link),
  );
  expect(leaving).toEqual([]);
});

test('the reference of the API is in the table of contents', () => {
  for (const report of readdirSync(path.join(guide, 'api')))
    expect(textOf('README.md')).toContain(`](api/${report})`);
});

test('each fence has a language that a test reads', () => {
  for (const { page, language } of fences)
    expect([page, language]).toEqual([page, expect.stringMatching(/^(ts|sql|yaml|sh|json)$/)]);
  for (const { code } of fencesIn(['json'])) JSON.parse(code);
  // The contracts are those of the suites.
  expect(fencesIn(['yaml'], followed).map(({ page }) => page)).toEqual(['create.md']);
});

test('the service.json of a page is one', () => {
  const shown = fencesIn(['json'], ['clients.md']).map(({ code }) => serviceIn(code, []));
  expect(shown).toMatchObject([
    { names: { name: 'notes', published: { client: { name: '@notes/client' } } } },
  ]);
});

test.each(Object.entries(TESTED_ELSEWHERE))('%s.test.ts reads its pages', (suite, of) => {
  const source = readFileSync(path.join(import.meta.dirname, `${suite}.test.ts`), 'utf8');
  for (const page of of) expect(source).toMatch(new RegExp(`\\b${path.basename(page, '.md')}\\b`));
});

test('the page about errors has each error of the kit, with its status', () => {
  const rows = [...textOf('errors.md').matchAll(/^\| (\d{3}) +\| ([^|]*)\|/gm)].flatMap(
    ([, status, codes = '']) => [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => [code, Number(status)]),
  );
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(pipelineErrors).map(([code, { status }]) => [code, status])),
  );
});

describe('the repository of the guide', () => {
  const folder = path.join(newFolder(), "Ada's work", 'notes');
  const run = promisify(execFile);
  const environment = { PATH: process.env['PATH'] ?? '' };
  const node = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    run(process.execPath, args, { cwd: folder, env: { ...environment, ...env } });
  const notes = commandsOf('notes', ['--import', 'tsx', path.join(folder, 'apps/server/src/main.ts')]);

  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };

  let said = '';

  beforeAll(async () => {
    const [{ code = '' } = {}] = fencesIn(['yaml'], ['create.md']);
    const file = path.join(newFolder(), 'notes.yaml');
    writeFileSync(file, code);
    said = await createBare(folder, file);
    linkPackages(folder, 'notes');
    for (const [name, text] of Object.entries(files)) write(name, text);
  }, 120_000);

  test('is where the line of `create` leads', async () => {
    const [, line = ''] = /^ +(cd .*?) && npm install$/m.exec(said) ?? [];
    const { stdout } = await run('sh', ['-c', `${line} && pwd -P`]);
    expect(stdout.trim()).toBe(realpathSync(folder));
  });

  test('compiles with the files of the pages', async () => {
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await node([tsc, '-p', '.', '--incremental', 'false']).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout).toBe('');
  }, 60_000);

  const tests = async (env: NodeJS.ProcessEnv = {}) => {
    const suites = [
      'apps/server/test/notes.test.ts',
      'apps/server/test/service.test.ts',
      'packages/client/test/fake.test.ts',
    ];
    const { stdout } = await node(['--import', 'tsx', '--test', ...suites], env).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout).toMatch(/\bfail 0\b/);
  };

  test('passes the tests of the pages', () => tests(), 60_000);

  describeWith(['PostgreSQL'], 'PostgreSQL', () => {
    const postgres = shared(startPostgres);
    test('passes them on PostgreSQL', async () => {
      await tests({ TEST_DATABASE: await postgres.createDatabase() });
    }, 60_000);
  });

  test('serves the program of the page about clients', async () => {
    const options = { dataDir: newFolder() };
    const { key } = await notes.json<{ key: string }>(['keys', 'create', '--name', 'a'], options);
    const { origin, kill } = await notes.serve(options);
    const env = { NOTES_API_KEY: key, NOTES_BASE_URL: `${origin}/v1` };
    const { stdout } = await node(['--import', 'tsx', 'call.ts'], env);
    expect(stdout).toMatch(/^string Buy milk\n409 .*You have this note already/);
    await kill('SIGTERM');
  }, 60_000);

  test('has each command of the guide', async () => {
    const { scripts } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const { stdout: kit } = await node(['node_modules/@contract-kit/cli/bin/contract-kit.js', '--help']);
    /** The commands of the service, with their options. */
    const asked = new Map<string, string[]>();
    for (const { page, code } of fencesIn(['sh'], followed))
      for (const line of code.split('\n')) {
        const [, script] = /\bnpm run ([\w:-]+)/.exec(line) ?? [];
        if (script !== undefined && script !== 'create')
          expect([page, ...Object.keys(scripts)]).toContain(script);
        const [, subcommand] = /\bcontract-kit (\w+)/.exec(line) ?? [];
        if (subcommand !== undefined) expect(kit).toMatch(new RegExp(`^  ${subcommand} `, 'm'));
        const [, command = ''] = /(?:npm run service --|^notes|bin\/notes\.js) ([^#\n]*)/.exec(line) ?? [];
        const [words] = /^(keys [a-z]+|[a-z-]+)/.exec(command) ?? [];
        const options = command.match(/(?<= )--[a-z-]+/g) ?? [];
        if (words !== undefined) asked.set(words, [...(asked.get(words) ?? []), ...options]);
      }
    expect([...asked.keys()]).toEqual(expect.arrayContaining(['audit', 'backup', 'keys create', 'serve']));
    for (const [words, options] of asked) {
      const { code, stdout } = await notes.run([...words.split(' '), '--help'], { dataDir: newFolder() });
      expect([words, code, stdout]).toEqual([words, 0, expect.stringContaining(`notes ${words}`)]);
      for (const option of options)
        expect([words, stdout]).toEqual([words, expect.stringContaining(`${option} `)]);
    }
  }, 120_000);

  test('has each file and script that the guide names', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      scripts: object;
    };
    const folders = ['apps', 'deploy', 'docs', 'packages'];
    const all = folders.flatMap((name) =>
      readdirSync(path.join(folder, name), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${name}/${file}`,
      ),
    );
    for (const page of pages)
      for (const [, code = ''] of textOf(page).matchAll(/`([^`\n]+)`/g)) {
        const [, script] = /^npm run ([\w:-]+)/.exec(code) ?? [];
        if (script !== undefined)
          expect([page, script in scripts || script === 'create']).toEqual([page, true]);
        if (/^(apps|deploy|docs|packages)\/[\w./-]+$/.test(code)) expect([page, ...all]).toContain(code);
      }
  });
});
