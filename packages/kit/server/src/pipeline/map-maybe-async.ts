/**
 * Passes `value` to `use`: at once, or when its promise resolves. Most values of a request are in memory, and a promise
 * per stage adds up.
 */
export function mapMaybeAsync<Value, Result>(
  value: Value | Promise<Value>,
  use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}
