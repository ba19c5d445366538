import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { commandsOf, newFolder } from '@contract-kit/test-support/testing';
import { createBare } from '../support/create-bare.ts';
import { linkPackages } from '../support/link-packages.ts';

/*
 * The printed command and the README's use of the client, for what a contract may require. Those of whole repositories, with
 * other contracts, are run in apps/end-to-end/test/full/create.test.ts.
 */

const run = promisify(execFile);
const KEY = 'key: { type: apiKey, in: header, name: X-Key }';
const BEARER = 'token: { type: http, scheme: bearer }';
const COOKIE = 'session: { type: apiKey, in: cookie, name: sid }';

/** Creates a repository of a contract that requires `security`. */
async function createShop(security: string | undefined, schemes: string, paths = ''): Promise<string> {
  const folder = path.join(newFolder(), 'shop');
  const file = path.join(newFolder(), 'shop.yaml');
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
servers: [{ url: 'https://api.shop.example/v1' }]
${security === undefined ? '' : `security: ${security}`}
paths:${paths}
  /wares:
    get:
      operationId: listWares
      responses:
        '200': { description: All., content: { application/json: { schema: { type: array, items: { type: string } } } } }
components: { securitySchemes: { ${schemes} } }
`,
  );
  await createBare(folder, file);
  linkPackages(folder, 'shop');
  return folder;
}

test.each([
  ['nothing', undefined, ''],
  ['a password', '[{ password: [] }]', 'password: { type: http, scheme: basic }'],
  ['a header', '[{ key: [] }]', KEY],
  ['a header or a token', '[{ key: [] }, { token: [] }]', `${KEY}, ${BEARER}`],
  ['a header and a token', '[{ key: [], token: [] }]', `${KEY}, ${BEARER}`],
  ['a cookie', '[{ session: [] }]', COOKIE],
  ['a cookie and a header', '[{ session: [], key: [] }]', `${COOKIE}, ${KEY}`],
])('if a contract requires %s', async (_what, security, schemes) => {
  const folder = await createShop(security, schemes);
  const shop = commandsOf('shop', ['--import', 'tsx', path.join(folder, 'apps/server/src/main.ts')]);
  const { origin, output, kill } = await shop.serve({ dataDir: newFolder() }, ['--demo']);

  const [curl = ''] = /curl .*/.exec(output.stdout) ?? [];
  const { stdout: response } = await run('sh', ['-c', `${curl} -s -i`]);
  expect(response).toMatch(/^HTTP\/1.1 200 OK\r$/m);

  const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
  const [, code = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  writeFileSync(path.join(folder, 'call.ts'), `${code}console.log(await client.listWares());`);
  const [, base = ''] = /`http:\/\/127\.0\.0\.1:3000([^`]*)` after `npm start`/.exec(readme) ?? [];
  const [key] = /shop_\w+/.exec(output.stdout) ?? [];
  expect(key === undefined).toBe(security === undefined);
  const { stdout } = await run(process.execPath, ['--import', 'tsx', 'call.ts'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      SHOP_BASE_URL: origin + base,
      ...(key !== undefined && { SHOP_API_KEY: key }),
    },
  });
  expect(stdout).toBe("[ 'text' ]\n");
  await kill('SIGTERM');
});

test('if a login sets the cookie with the key, there is `authenticate`, and the tests pass', async () => {
  const login = `
  /login:
    post: { operationId: logIn, security: [], responses: { '204': { description: In., headers: { Set-Cookie: { schema: { type: string } } } } } }
  /baskets:
    post: { operationId: addBasket, responses: { '201': { description: Added. } } }`;
  const folder = await createShop('[{ session: [] }]', COOKIE, login);
  expect(readFileSync(path.join(folder, 'apps/server/src/service.ts'), 'utf8')).toContain(
    '  authenticate,\n',
  );
  const tests = ['apps/server/test/service', 'packages/client/test/client', 'packages/mcp/test/tools'];
  const args = ['--import', 'tsx', '--test', ...tests.map((name) => `${name}.test.ts`)];
  const env = { PATH: process.env['PATH'] };
  expect((await run(process.execPath, args, { cwd: folder, env })).stdout).toMatch(/^# fail 0$|^ℹ fail 0$/m);
});
