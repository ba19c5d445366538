const ATOMIC = Symbol('atomic');

/**
 * Says that `handler` has no effect but those of one `transaction`. After it has failed, or its process has died, a repeat
 * with the same idempotency key runs as if it were the first request, unless the transaction has committed. Another
 * transaction after a commit throws an Error.
 *
 * @example
 * createPayment: atomic(({ body }) =>
 *   transaction(async ({ store }) => ({ status: 201, body: await store.add(body.amount) })),
 * ),
 */
export function atomic<Handler extends (...args: never[]) => unknown>(handler: Handler): Handler {
  const marked = (...args: Parameters<Handler>) => handler(...args);
  return Object.assign(marked as Handler, { [ATOMIC]: true });
}

export const isAtomic = (handler: object): boolean => ATOMIC in handler;
