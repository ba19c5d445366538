/**
 * Hands `value` to `use`: at once if it is there already, or else when it comes. Most of what a request waits for is in
 * memory, and a promise for each stage adds up.
 */
export function mapMaybeAsync<Value, Result>(
  value: Value | Promise<Value>,
  use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}
