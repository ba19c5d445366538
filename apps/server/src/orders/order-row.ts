import type { Columns, Table } from '@contract-kit/server';
import type { components } from '@petstore/contract';

export type Order = components['schemas']['Order'];

export const orderStatuses = ['pending', 'shipped', 'cancelled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** An order as the store keeps it. The status is never part of the Order that clients see. */
export interface StoredOrder extends Order {
  readonly status: OrderStatus;
}

/** The column of each field of an order. The SQL for orders derives from it. */
export const orderColumns: Columns<Order> = {
  id: { column: 'id', holds: 'integer' },
  petId: { column: 'pet_id', holds: 'integer' },
  quantity: { column: 'quantity', holds: 'integer' },
  shipDate: { column: 'ship_date', holds: 'text' },
  complete: { column: 'complete', holds: 'boolean' },
};

/** Stored orders, with the fields that clients never see. */
export const orderTable: Table<StoredOrder> = {
  name: 'orders',
  columns: { ...orderColumns, status: { column: 'status', holds: 'text' } },
};
