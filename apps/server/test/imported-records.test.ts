import { InvalidRecord } from '@contract-kit/server';
import { contract } from '@petstore/contract';
import { parseOrder } from '../src/orders/order-record.ts';
import { parsePet } from '../src/pets/pet-record.ts';

test('a date is stored in UTC, to the millisecond', () => {
  const inUtc = (shipDate: string) => parseOrder({ shipDate }).shipDate;
  expect(inUtc('2026-11-21T12:00:00Z')).toBe('2026-11-21T12:00:00.000Z');
  expect(inUtc('2026-11-21T12:00:00+05:30')).toBe('2026-11-21T06:30:00.000Z');
  expect(inUtc('2026-12-31T23:30:00.5-01:00')).toBe('2027-01-01T00:30:00.500Z');
  expect(inUtc('2024-02-29T00:00:00.123456Z')).toBe('2024-02-29T00:00:00.123Z');
  expect(inUtc('2026-11-21t12:00:00z')).toBe('2026-11-21T12:00:00.000Z');
});

test.each([
  '2026-13-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-11-21',
  '2026-11-21T12:00:00',
  '9999-12-31T23:59:59-01:00',
  '0000-01-01T00:00:00+01:00',
])('the date %j is refused', (shipDate) => {
  expect(() => parseOrder({ shipDate })).toThrow(InvalidRecord);
});

test('an order is pending unless it says otherwise', () => {
  expect(parseOrder({})).toEqual({ status: 'pending' });
  expect(parseOrder({ id: 1, status: 'shipped' })).toEqual({ id: 1, status: 'shipped' });
});

test.each([
  [{ petId: null }, 'petId must be integer'],
  [{ quantity: -1 }, 'quantity must be >= 0'],
  [{ quantity: 1.5 }, 'quantity must be integer'],
  [{ status: 'lost' }, 'status must be one of pending, shipped, cancelled'],
])('the order %j is refused: %s', (value, reason) => {
  expect(() => parseOrder(value)).toThrow(reason);
});

test('the petstore, not the contract, keeps a quantity from being negative', () => {
  expect(parseOrder({ quantity: 0 })).toMatchObject({ quantity: 0 });
  const { components } = contract.document as { components: { schemas: { Order: { properties: object } } } };
  expect(components.schemas.Order.properties).toHaveProperty('quantity.type', 'integer');
  expect(components.schemas.Order.properties).not.toHaveProperty('quantity.minimum');
});

test('a pet is its id and its name', () => {
  expect(parsePet({ id: 1, name: 'Rex' })).toEqual({ id: 1, name: 'Rex' });
  expect(() => parsePet({ name: 1 })).toThrow('name must be string');
  expect(() => parsePet({ id: 0 })).toThrow('id must be >= 1');
});
