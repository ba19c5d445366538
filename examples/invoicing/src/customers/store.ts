import { columnNames, itemOf, type Database, type Row, type Table } from '@contract-kit/server';
import type { components } from '@invoicing/contract';

export type Customer = components['schemas']['Customer'];

const customers: Table<Customer> = {
  name: 'customers',
  columns: {
    id: { column: 'id', holds: 'text' },
    name: { column: 'name', holds: 'text' },
    email: { column: 'email', holds: 'text' },
  },
};
const COLUMNS = columnNames(customers).join(', ');

export function createStore({ query, list }: Database) {
  return {
    list: (tenant: string) =>
      list<Customer>({
        table: customers.name,
        columns: customers.columns,
        where: { sql: 'tenant = $1', values: [tenant] },
      }),
    async find(tenant: string, id: string): Promise<Customer | undefined> {
      const sql = `SELECT ${COLUMNS} FROM customers WHERE tenant = $1 AND id = $2`;
      const [row] = await query<Row>(sql, [tenant, id]);
      return row && itemOf(customers, row);
    },
    /** Throws a ConstraintError if the tenant has another customer with this name. */
    add: (tenant: string, { id, name, email }: Customer) =>
      query(`INSERT INTO customers (tenant, ${COLUMNS}) VALUES ($1, $2, $3, $4)`, [
        tenant,
        id,
        name,
        email ?? null,
      ]),
    /** Whether the tenant has the customer. Throws a ConstraintError as `add` does. */
    async replace(tenant: string, { id, name, email }: Customer): Promise<boolean> {
      const sql = `UPDATE customers SET name = $3, email = $4 WHERE tenant = $1 AND id = $2 RETURNING id`;
      return (await query(sql, [tenant, id, name, email ?? null])).length > 0;
    },
  };
}

export type Store = ReturnType<typeof createStore>;
