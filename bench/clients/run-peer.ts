import { peers } from './peer.ts';
import type { Outcome, Task } from './peer-process.ts';

// The process of one client, which makes the calls it is told of. The loss of its parent ends it.
process.on('message', (task: Task) => void perform(task));
process.on('disconnect', () => process.exit());

async function perform({ peer, baseUrl, apiKey, orderId, times }: Task): Promise<void> {
  const { create } = await peers[peer]();
  const client = create(baseUrl, apiKey);
  const started = performance.now();
  for (let call = 0; call < times; call++) {
    const result = orderId === undefined ? client.listOrders() : client.cancelOrder(orderId);
    result.then(
      (value) => report({ value }),
      (error: unknown) => report({ error: describe(error) }),
    );
  }
  const report = (result: Pick<Outcome, 'value' | 'error'>) =>
    process.send?.({ ...result, seconds: (performance.now() - started) / 1000 } satisfies Outcome);
}

function describe(error: unknown): Outcome['error'] {
  const { name: own, status, retryAfter } = error as Record<string, unknown>;
  // Not all of them set `name`.
  const name = own === 'Error' ? (error as object).constructor.name : String(own);
  const response = (error as { response?: { status?: unknown } }).response;
  return { name, status: status ?? response?.status, retryAfter };
}
