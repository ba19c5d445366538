import { columnNames, itemOf, type Database, type Row, type Table } from '@contract-kit/server';
import type { components } from '@invoicing/contract';

export type Product = components['schemas']['Product'];
export type Price = components['schemas']['Price'];

const products: Table<Product> = {
  name: 'products',
  columns: {
    id: { column: 'id', holds: 'text' },
    name: { column: 'name', holds: 'text' },
    unit: { column: 'unit', holds: 'text' },
  },
};
const prices: Table<Price> = {
  name: 'prices',
  columns: {
    currency: { column: 'currency', holds: 'text' },
    cents: { column: 'cents', holds: 'integer' },
  },
};
const COLUMNS = columnNames(products).join(', ');

export function createStore({ query, list }: Database) {
  return {
    list: (tenant: string) =>
      list<Product>({
        table: products.name,
        columns: products.columns,
        where: { sql: 'tenant = $1', values: [tenant] },
      }),
    async find(tenant: string, id: string): Promise<Product | undefined> {
      const sql = `SELECT ${COLUMNS} FROM products WHERE tenant = $1 AND id = $2`;
      const [row] = await query<Row>(sql, [tenant, id]);
      return row && itemOf(products, row);
    },
    add: (tenant: string, { id, name, unit }: Product) =>
      query(`INSERT INTO products (tenant, ${COLUMNS}) VALUES ($1, $2, $3, $4)`, [tenant, id, name, unit]),
    prices: (productId: string) =>
      list<Price>({
        table: prices.name,
        columns: prices.columns,
        where: { sql: 'product_id = $1', values: [productId] },
      }),
    setPrice: (productId: string, { currency, cents }: Price) =>
      query(
        `INSERT INTO prices (product_id, currency, cents) VALUES ($1, $2, $3)
         ON CONFLICT (product_id, currency) DO UPDATE SET cents = excluded.cents`,
        [productId, currency, cents],
      ),
    /** Undefined if the tenant has no such product, or no price for it in the currency. */
    async priceOf(tenant: string, id: string, currency: Price['currency']): Promise<number | undefined> {
      const [price] = await query<Price>(
        `SELECT cents FROM prices JOIN products ON id = product_id
         WHERE tenant = $1 AND id = $2 AND currency = $3`,
        [tenant, id, currency],
      );
      return price?.cents;
    },
  };
}

export type Store = ReturnType<typeof createStore>;
