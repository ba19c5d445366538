/**
 * Hands `value` to `use`: at once where it is there already, or else when it comes. Most of what a request waits for is
 * in memory, and a turn of the microtask queue for each stage adds up.
 */
export function whenKnown<Value, Result>(
  value: Value | Promise<Value>,
  use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}
