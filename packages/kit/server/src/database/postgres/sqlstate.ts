/** What an error of PostgreSQL requires. */
export interface Consequence {
  /** The session is over or stays wrong: close its connection. */
  readonly closes?: boolean;
  /** The server rejected or undid the statement, and a second attempt may succeed: repeat it once. */
  readonly retries?: boolean;
}

const REPORT: Consequence = {};
const RETRY: Consequence = { retries: true };
/** Whether the statement took effect may be unknown, as after a lost response to a commit: never repeat it. */
const CLOSE: Consequence = { closes: true };
/** The server rejected the statement in this session, and a new session may accept it. */
const CLOSE_AND_RETRY: Consequence = { closes: true, retries: true };

/** By SQLSTATE, else by its first three or two characters. Others are reported, and their connections kept. */
const CONSEQUENCES: Readonly<Record<string, Consequence>> = {
  // Connection exceptions, as from PgBouncer.
  '08': CLOSE,
  // "cached plan must not change result type": a column has another type than when the statement was prepared.
  '0A000': CLOSE_AND_RETRY,
  // Invalid transaction states: 25006 is a read-only session, such as one of a standby; 25P03 and 25P04 are time-outs.
  25: CLOSE_AND_RETRY,
  // The prepared statement is gone, or exists already.
  26: CLOSE_AND_RETRY,
  '42P05': CLOSE_AND_RETRY,
  // The user, password or database is no longer accepted.
  28: CLOSE,
  '3D': CLOSE,
  // A serialization failure, or a conflict with recovery on a standby; a deadlock.
  40001: RETRY,
  '40P01': RETRY,
  // "statement completion unknown"
  40003: CLOSE,
  // A prepared statement keeps the types of its parameters when a column gets another type.
  42804: CLOSE_AND_RETRY,
  42883: CLOSE_AND_RETRY,
  // Out of memory: a new process starts with none.
  53200: CLOSE,
  // The server shuts down, has crashed or is starting, or the database was dropped.
  '57P': CLOSE,
  // The session was idle for too long, so the server had not begun the statement.
  '57P05': CLOSE_AND_RETRY,
  // Internal errors, such as "cache lookup failed": they may last as long as the session.
  XX: CLOSE,
};

/** The SQLSTATE of an error that PostgreSQL sent; undefined for others, such as EPIPE. */
export function sqlstateOf(error: unknown): string | undefined {
  const { code, severity } = (error ?? {}) as { code?: string; severity?: string };
  return severity === undefined ? undefined : code;
}

/** What `error` requires. Without a response of PostgreSQL the connection is unusable, and the outcome unknown. */
export function consequenceOf(error: unknown): Consequence {
  const code = sqlstateOf(error);
  if (code === undefined) return CLOSE;
  const known = [code, code.slice(0, 3), code.slice(0, 2)].find((prefix) => prefix in CONSEQUENCES);
  return known === undefined ? REPORT : (CONSEQUENCES[known] ?? REPORT);
}

/** Whether `error` is about U+0000, in a text or as an escape in JSON. */
export function isAboutNul(error: unknown): boolean {
  const { detail = '' } = error as { detail?: string };
  const code = sqlstateOf(error);
  // pg sends everything else as valid UTF-8. The database may lack other characters too, if its encoding is another.
  return code === '22021' || (code === '22P05' && detail.includes('\\u0000'));
}

/** The error of a read-only session, for a check that only reads. */
export function readOnlyError(): Error {
  return Object.assign(new Error('PostgreSQL is read-only'), { code: '25006', severity: 'ERROR' });
}
