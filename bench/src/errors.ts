/** The command was called wrongly. */
export class UsageError extends Error {}

/** An expected failure: only its message is printed. */
export class BenchError extends Error {}
