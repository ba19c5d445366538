import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { copyWorkspace } from '../support/workspace.ts';

/* Other security in the contract, and nothing else: what is generated, the server and the client follow. */

let workspace: string;
beforeAll(() => {
  workspace = copyWorkspace();
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: workspace, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
};

const PROGRAM = `
import { createPetstore } from './packages/client/src/index.ts';
import { startTestService, removeTestFolders } from './apps/server/test/support/service.ts';

const service = await startTestService();
await service.addOrders([{ id: 1 }]);
await service.addPets([{ id: 1, name: 'Rex' }]);
const sent: Record<string, string>[] = [];
const options = {
  baseUrl: service.origin + '/v1',
  fetch(request: Request) {
    sent.push(Object.fromEntries([...request.headers].filter(([name]) => /^(auth|x-partner)/.test(name))));
    return fetch(request);
  },
};
const key = await service.key();
const keyed = createPetstore({ ...options, apiKey: key });
const keyless = createPetstore(options);
const results = [
  await keyed.listOrders(),
  (await keyed.cancelOrder({ orderId: 1 }).reply()).status,
  await keyed.getPet({ petId: 1 }),
  await keyless.getPet({ petId: 1 }),
  await keyless.listOrders().catch(({ name, message, attempts }) => ({ name, message, attempts })),
];
await service.stop();
removeTestFolders();
console.log(JSON.stringify({ results, sent }).replaceAll(btoa(':' + key), 'BASIC').replaceAll(key, 'KEY'));
`;

test('the client sends what the contract asks for, and the server admits it', () => {
  const file = path.join(workspace, 'openapi.yaml');
  const secured = (text: string, operationId: string, security: string) =>
    text.replace(`operationId: ${operationId}\n`, (found) => `${found}      security: ${security}\n`);
  let contract = readFileSync(file, 'utf8').replace(
    '  securitySchemes:\n',
    '  securitySchemes:\n    operator: { type: http, scheme: basic }\n    partner: { type: apiKey, in: header, name: X-Partner-Key }\n',
  );
  contract = secured(contract, 'listOrders', '[{ operator: [] }, { apiKey: [] }]');
  contract = secured(contract, 'cancelOrder', '[{ apiKey: [], partner: [] }]');
  contract = secured(contract, 'getPet', '[]');
  writeFileSync(file, contract);
  const tsx = ['--import', 'tsx', '--conditions=@petstore/source'];
  run(...tsx, 'packages/contract-tools/src/generate/main.ts');
  writeFileSync(path.join(workspace, 'call.ts'), PROGRAM);
  run('node_modules/typescript/bin/tsc', '-p', '.');
  expect(JSON.parse(run(...tsx, 'call.ts'))).toEqual({
    results: [
      [{ id: 1 }],
      204,
      { id: 1, name: 'Rex' },
      { id: 1, name: 'Rex' },
      { name: 'InputError', message: 'listOrders: needs an apiKey', attempts: 0 },
    ],
    sent: [
      { authorization: 'Basic BASIC' },
      { authorization: 'Bearer KEY', 'x-partner-key': 'KEY' },
      { authorization: 'Basic BASIC' },
      {},
    ],
  });
});
