import type { Outcome, Task } from './call.ts';
import { clients } from './clients.ts';

// The process of one client, which makes the calls it is told of. The loss of its parent ends it.
process.on('message', (task: Task) => perform(task));
process.on('disconnect', () => process.exit());

function perform({ client: name, baseUrl, apiKey, orderId, times }: Task): void {
  const client = clients[name](baseUrl, apiKey);
  const started = performance.now();
  const report = (result: Pick<Outcome, 'value' | 'error'>) =>
    process.send?.({ ...result, seconds: (performance.now() - started) / 1000 } satisfies Outcome);
  for (let call = 0; call < times; call++) {
    const result = orderId === undefined ? client.listOrders() : client.cancelOrder(orderId);
    result.then(
      (value) => report({ value }),
      (error: unknown) => report({ error: describe(error) }),
    );
  }
}

function describe(error: unknown): Outcome['error'] {
  const { name: own, status, retryAfter } = error as Record<string, unknown>;
  // Not all of them set `name`.
  const name = own === 'Error' ? (error as object).constructor.name : String(own);
  const response = (error as { response?: { status?: unknown } }).response;
  return { name, status: status ?? response?.status, retryAfter };
}
