import { examples, operations } from '@petstore/contract';
import type { OperationId } from '@petstore/client';
import type { FakeOrder, FakePetstoreOptions } from './options.ts';
import { refuse, type Answer } from './answer.ts';

type Behaviour = (path: Readonly<Record<string, string>>) => Answer;

export interface Store {
  readonly orders: Map<number, FakeOrder>;
  /** Performs an operation, or shows its example. */
  perform(operation: OperationId, path: Readonly<Record<string, string>>): Answer;
}

export function createStore({ orders = [], pets = [] }: FakePetstoreOptions): Store {
  const stored = byId<FakeOrder>(orders.map((order) => ({ ...order, status: order.status ?? 'pending' })));
  const petById = byId(pets);

  const behaviours: Partial<Record<OperationId, Behaviour>> = {
    listOrders() {
      const inOrder = [...stored.values()].sort((a, b) => a.id - b.id);
      return { status: 200, body: inOrder.map((order) => ({ ...order, status: undefined })) };
    },
    cancelOrder({ orderId }) {
      const order = stored.get(Number(orderId));
      if (!order) return refuse('order_not_found', `No order has the id ${orderId}.`);
      if (order.status === 'shipped') {
        const message = `Order ${orderId} has already shipped; shipping cannot be reversed.`;
        return refuse('order_already_shipped', message);
      }
      order.status = 'cancelled';
      return { status: 204 };
    },
    getPet({ petId }) {
      const pet = petById.get(Number(petId));
      return pet ? { status: 200, body: pet } : refuse('pet_not_found', `No pet has the id ${petId}.`);
    },
  };

  return {
    orders: stored,
    perform: (operation, path) => behaviours[operation]?.(path) ?? exampleOf(operation),
  };
}

/** By numbers: an id beyond them is none of the store's. */
function byId<Each extends { readonly id: number }>(records: readonly Each[]): Map<number, Each> {
  const found = new Map<number, Each>();
  for (const each of records) {
    if (!Number.isSafeInteger(each.id) || found.has(each.id))
      throw new TypeError(`give each order and each pet an integer of its own as its id; ${each.id} is none`);
    found.set(each.id, each);
  }
  return found;
}

function exampleOf(operation: OperationId): Answer {
  const example = examples[operation];
  const type = operations[operation].successes[example.status];
  if (!type?.includes('/')) return example;
  return { ...example, headers: { ...example.headers, 'Content-Type': type }, body: example.body ?? '' };
}
