import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { copyWorkspace } from '../support/workspace.ts';

/* "Add a field in four steps" of CONTRIBUTING.md, taken on a copy of the workspace. */

const FIELD = '        giftNote: { type: string, description: A note to the receiver. }\n';
const COLUMN = "  giftNote: { column: 'gift_note', holds: 'text' },\n";
const MIGRATION = 'ALTER TABLE orders ADD COLUMN gift_note text;\n';

test('a field needs the contract, a column and a migration; without the column it does not compile', async () => {
  const workspace = copyWorkspace();
  workspace.edit('openapi.yaml', (text) =>
    text.replace(/^ {4}Order:\n(?:.*\n)*? {6}properties:\n/m, (schema) => schema + FIELD),
  );
  await workspace.generate();
  await expect(workspace.typecheck()).rejects.toThrow(/src\/orders\/order-row\.ts.*giftNote/);

  workspace.edit('apps/server/src/orders/order-row.ts', (text) =>
    text.replace(/^ {2}complete: .*\n/m, (line) => line + COLUMN),
  );
  for (const engine of ['sqlite', 'postgres']) {
    const folder = workspace.file(`apps/server/src/orders/migrations/${engine}`);
    writeFileSync(path.join(folder, '0002-gift-note.sql'), MIGRATION);
  }
  await workspace.typecheck();

  const { origin, key, stop } = await workspace.serve();
  const order = { id: 1_000, quantity: 1, giftNote: 'For "Ada"' };
  writeFileSync(workspace.file('orders.ndjson'), JSON.stringify(order));
  await workspace.petstore('orders', 'import', 'orders.ndjson');
  const list = await fetch(`${origin}/v1/store/orders`, { headers: { authorization: `Bearer ${key}` } });
  expect(((await list.json()) as unknown[]).at(-1)).toEqual(order);
  const listed = JSON.parse(await workspace.petstore('orders', 'list', '--json')) as unknown[];
  expect(listed.at(-1)).toEqual({ ...order, status: 'pending' });
  await stop();
});
