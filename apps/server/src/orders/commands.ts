import { pipeline } from 'node:stream/promises';
import { Option, type Command } from 'commander';
import {
  addImportCommand,
  addPrintingCommand,
  id,
  print,
  OperatorError,
  type Output,
  type WithStore,
} from '@contract-kit/server';
import { orderStatuses, type OrderStatus, type StoredOrder } from './order-row.ts';
import type { OrderStore } from './order-store.ts';

export function addOrderCommands(program: Command, withStore: WithStore<OrderStore>): void {
  const orders = program.command('orders').description('import, list and ship orders');

  addImportCommand(orders, {
    withStore,
    noun: 'order',
    file: 'NDJSON of orders, each with an optional status, or a JSON array of at most 64 MB',
    loadParse: async () => (await import('./order-record.ts')).parseOrder,
    begin: (store) => store.beginImport(),
  });

  addPrintingCommand(orders, 'list', 'list the orders with their status, by id')
    .addOption(new Option('--status <status>', 'only orders in this status').choices(orderStatuses))
    .action((options: Output & { status?: OrderStatus }) =>
      withStore(async (store) => {
        const lines = linesOf(store.stored(options.status), options.json === true);
        await pipeline(lines, process.stdout, { end: false });
      }),
    );

  addPrintingCommand(orders, 'ship', 'ship a pending order, which can then no longer be cancelled')
    .argument('<id>', 'the id of the order', id)
    .action(async (orderId: bigint, options: Output) => {
      const { status, changed } = await withStore((store) => store.ship(orderId, new Date()));
      if (status === undefined)
        throw new OperatorError(`no order has the id ${orderId}: see \`petstore orders list\``);
      if (status === 'cancelled') {
        throw new OperatorError(`order ${orderId} is cancelled and cannot be shipped`);
      }
      const already = changed ? '' : ' already';
      print(options, { id: Number(orderId), status: 'shipped' }, `Order ${orderId} is${already} shipped.`);
    });
}

/** One JSON array, or one line of text per order. */
async function* linesOf(batches: AsyncIterable<readonly StoredOrder[]>, json: boolean) {
  let count = 0;
  for await (const batch of batches) {
    const lines = batch.map((order, index) =>
      json ? `${count + index === 0 ? '[' : ','}${JSON.stringify(order)}` : orderText(order),
    );
    count += lines.length;
    yield `${lines.join('\n')}\n`;
  }
  if (json) yield count === 0 ? '[]\n' : ']\n';
  else if (count === 0) yield 'There are no such orders.\n';
}

function orderText({ id: orderId, status, ...fields }: StoredOrder): string {
  const details = Object.entries(fields).map(([name, value]) => `${name} ${String(value)}`);
  return [String(orderId).padStart(8), status.padEnd(9), details.join(', ')].join('  ').trimEnd();
}
