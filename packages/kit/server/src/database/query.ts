/** Runs a statement, prepared once per connection. Throws ConstraintError and StoreUnavailable. */
export type Query = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;
