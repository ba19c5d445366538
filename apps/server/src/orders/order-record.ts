import { InvalidRecord, recordCheck } from '@contract-kit/server';
import { contract } from '@petstore/contract';
import { orderStatuses, type Order, type OrderStatus } from './order-row.ts';

const check = recordCheck<Order & { status?: OrderStatus }>(contract.document, 'Order', {
  // A rule of this store: the contract sets no minimum.
  quantity: { type: 'integer', minimum: 0 },
  status: { type: 'string', enum: orderStatuses },
});

/** An order of an import file: pending by default, its date in UTC. Throws InvalidRecord. */
export function parseOrder(value: unknown): Order & { status: OrderStatus } {
  const { status = 'pending', shipDate, ...order } = check(value);
  return { ...order, status, ...(shipDate !== undefined && { shipDate: inUtc(shipDate) }) };
}

function inUtc(dateTime: string): string {
  const date = new Date(dateTime);
  if (Number.isNaN(date.getTime())) throw new InvalidRecord('shipDate is not a date that exists');
  const text = date.toISOString();
  // RFC 3339 has four digits for the year; an offset can exceed them.
  if (text.length !== 24) throw new InvalidRecord('shipDate must be in the years 0000 to 9999 in UTC');
  return text;
}
