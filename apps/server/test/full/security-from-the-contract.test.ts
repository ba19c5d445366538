import { writeFileSync } from 'node:fs';
import { copyWorkspace } from '../support/workspace.ts';

/* Other security in the contract, and nothing else: what is generated, the server and the client follow. */

const PROGRAM = `
import { createPetstore } from './packages/client/src/index.ts';
import { startTestService } from './apps/server/test/support/service.ts';

const service = await startTestService();
await service.addOrders([{ id: 1 }]);
await service.addPets([{ id: 1, name: 'Rex' }]);
const sent: Record<string, string>[] = [];
const options = {
  baseUrl: service.origin + '/v1',
  fetch(url: string, init: RequestInit) {
    const headers = [...new Headers(init.headers)];
    sent.push(Object.fromEntries(headers.filter(([name]) => /^(auth|x-partner)/.test(name))));
    return fetch(url, init);
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
console.log(JSON.stringify({ results, sent }).replaceAll(btoa(':' + key), 'BASIC').replaceAll(key, 'KEY'));
`;

test('the client sends what the contract asks for, and the server admits it', async () => {
  const workspace = copyWorkspace();
  const secured = (text: string, operationId: string, security: string) =>
    text.replace(`operationId: ${operationId}\n`, (found) => `${found}      security: ${security}\n`);
  const schemes =
    '    operator: { type: http, scheme: basic }\n    partner: { type: apiKey, in: header, name: X-Partner-Key }\n';
  workspace.edit('openapi.yaml', (text) => {
    const contract = text.replace('  securitySchemes:\n', (found) => found + schemes);
    const listed = secured(contract, 'listOrders', '[{ operator: [] }, { apiKey: [] }]');
    return secured(secured(listed, 'cancelOrder', '[{ apiKey: [], partner: [] }]'), 'getPet', '[]');
  });
  await workspace.generate();
  writeFileSync(workspace.file('call.ts'), PROGRAM);
  await workspace.typecheck();
  expect(JSON.parse(await workspace.runSource('call.ts'))).toEqual({
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
