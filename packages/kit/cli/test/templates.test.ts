import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { emitClient } from '../src/generate/client-sources.ts';
import type { ErrorFacts } from '@contract-kit/core/errors';
import { parseContract } from '@contract-kit/core/openapi';
import { templateValues } from '@contract-kit/server/internals';
import { renderTemplates } from '../src/generate/templates.ts';
import { root, serviceFile } from '../src/workspace.ts';
import { changed, contract } from './support/contract.ts';

/* `npm run generate -- --check` compares the generated files of this repository. */

const errorBody = ({ message, requestId }: ErrorFacts) => ({ message, requestId });
const names = { name: 'book-shop', keyPrefix: 'bks_', databaseFile: 'store.db' };

test('a method of the client is deprecated even without dates', () => {
  const dates = "      x-deprecated-since: '2026-11-01'\n      x-deprecated-sunset: '2027-06-30'\n";
  const sources = emitClient(parseContract(changed([dates, ''])), names, errorBody);
  expect(sources['index.ts']).toContain('   * @deprecated\n   */\n  getBook(');
});

test('rendered templates are named after the service, without unfilled placeholders', async () => {
  const files = await renderTemplates('generated', templateValues(parseContract(contract), names, errorBody));
  expect(Object.keys(files)).toContain('deploy/book-shop.service');
  const text = Object.values(files).join('\n');
  expect(text.match(/\{\{\w+\}\}/g)).toBeNull();
  expect(text).toContain('alert: BookShopDown');
  expect(text).toContain('rate(book_shop_requests_total[5m])');
  expect(text).toContain('(b|%(25)*62)(k|%(25)*6b)(s|%(25)*73)(_|%(25)*5f)');
});

test("nginx's own errors name the request if their shape does", async () => {
  const files = await renderTemplates('generated', templateValues(parseContract(contract), names, errorBody));
  expect(files['deploy/nginx.conf']).toMatch(/"message":"[^"]+","requestId":"\$\{answered_id\}"/);
});

test('the packages of a new repository have the fields of the packages of this one', async () => {
  const { name } = JSON.parse(readFileSync(serviceFile, 'utf8')) as { name: string };
  const values = {
    ...templateValues(parseContract(contract), { ...names, name }, errorBody),
    version: '1.0.0',
  };
  const files = await renderTemplates('created', values);
  const own = ['bugs', 'dependencies', 'description', 'devDependencies', 'files', 'homepage', 'license'];
  const rest = (text: string) => {
    const manifest = Object.entries(JSON.parse(text) as object);
    return Object.fromEntries(
      manifest.filter(([field]) => ![...own, 'publishConfig', 'scripts'].includes(field)),
    );
  };
  for (const folder of ['packages/contract', 'packages/client', 'packages/mcp']) {
    const file = `${folder}/package.json`;
    expect(rest(files[file] ?? '')).toEqual(rest(readFileSync(path.join(root, file), 'utf8')));
  }
});

test('each script that a message or a page of the kit names is one of a new repository', async () => {
  const files = await renderTemplates('created', {});
  const { scripts } = JSON.parse(files['package.json'] ?? '') as { scripts: object };
  const folders = ['core', 'client', 'mcp', 'server', 'testing', 'cli'].map(
    (name) => `packages/kit/${name}/src`,
  );
  for (const folder of [...folders, 'packages/kit/server/templates', 'packages/kit/cli/templates'])
    for (const entry of readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      const text = entry.isFile() ? readFileSync(file, 'utf8') : '';
      for (const [, script] of text.matchAll(/\bnpm run ([a-z][a-z:-]*)/g))
        // That one is of a checkout of the kit.
        expect([file, ...Object.keys(scripts), 'create']).toContain(script);
    }
});

test.each(['.github', 'packages/kit/cli/templates/created/.github'])(
  'the actions of %s are commits, with their version',
  (folder) => {
    const files = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true });
    const text = files
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
      .join('\n');
    const actions = [...text.matchAll(/uses: ([^.\s].*)/g)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/^[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  },
);
