import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { commandsOf, newFolder } from '@contract-kit/test-support/testing';
import { create } from '../../src/create/create.ts';
import { linkPackages } from '../support/link-packages.ts';

/*
 * The printed command and the README's use of the client, for what a contract may require. Those of whole repositories, with
 * other contracts, are run in apps/end-to-end/test/full/create.test.ts.
 */

const run = promisify(execFile);
const KEY = 'key: { type: apiKey, in: header, name: X-Key }';
const BEARER = 'token: { type: http, scheme: bearer }';

test.each([
  ['nothing', undefined, ''],
  ['a password', '[{ password: [] }]', 'password: { type: http, scheme: basic }'],
  ['a header', '[{ key: [] }]', KEY],
  ['a header or a token', '[{ key: [] }, { token: [] }]', `${KEY}, ${BEARER}`],
  ['a header and a token', '[{ key: [], token: [] }]', `${KEY}, ${BEARER}`],
])('if a contract requires %s', async (_what, security, schemes) => {
  const folder = path.join(newFolder(), 'shop');
  const file = path.join(newFolder(), 'shop.yaml');
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
servers: [{ url: 'https://api.shop.example/v1' }]
${security === undefined ? '' : `security: ${security}`}
paths:
  /wares:
    get:
      operationId: listWares
      responses:
        '200': { description: All., content: { application/json: { schema: { type: array, items: { type: string } } } } }
components: { securitySchemes: { ${schemes} } }
`,
  );
  const rest = {
    name: undefined,
    filesIn: undefined,
    packages: undefined,
    isInstalled: false,
    leavesOut: false,
  };
  await create({ folder, file, say: () => undefined, ...rest });
  linkPackages(folder, 'shop');
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
