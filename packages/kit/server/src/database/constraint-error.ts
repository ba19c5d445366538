/** The violated constraint: UNIQUE or a primary key, CHECK or a trigger, a foreign key, or NOT NULL. */
export type Constraint = 'unique' | 'check' | 'foreign key' | 'not null';

/** By the code of SQLite, and by the SQLSTATE of PostgreSQL. */
const CONSTRAINTS: Readonly<Record<string, Constraint>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_ROWID: 'unique',
  SQLITE_CONSTRAINT_CHECK: 'check',
  SQLITE_CONSTRAINT_TRIGGER: 'check',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign key',
  SQLITE_CONSTRAINT_NOTNULL: 'not null',
  23505: 'unique',
  '23P01': 'unique',
  23514: 'check',
  44000: 'check',
  P0001: 'check',
  23503: 'foreign key',
  23502: 'not null',
};

/** Thrown to a handler if its statement violates a constraint. Nothing was changed. Uncaught it becomes a 500. */
export class ConstraintError extends Error {
  readonly constraint: Constraint;

  constructor(constraint: Constraint, message: string, options?: ErrorOptions) {
    super(`a ${constraint} constraint was violated: ${message}`, options);
    this.name = 'ConstraintError';
    this.constraint = constraint;
  }
}

/** A driver's error as a ConstraintError if it is one, otherwise unchanged. */
export function asConstraintError(error: unknown): unknown {
  // By its code, because a driver may be loaded twice.
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const constraint = CONSTRAINTS[code];
  return constraint === undefined ? error : new ConstraintError(constraint, message, { cause: error });
}
