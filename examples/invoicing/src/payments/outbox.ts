import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '@contract-kit/server';
import type { Needed } from './handlers.ts';
import type { Store } from './store.ts';

/** Sends each payment to WEBHOOK_URL, perhaps twice. The receiver knows it by its id. */
export async function deliverPayments(
  { store, settings, log, now }: Services<Store, Needed>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const payment of await store.undelivered(100)) {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify(payment);
      const { ok } = await fetch(settings.WEBHOOK_URL, { method: 'POST', headers, body, signal });
      if (!ok) throw new Error(`WEBHOOK_URL rejects the payment ${payment.id}`);
      await store.markDelivered(payment.id, new Date(now()));
      log.info({ payment: payment.id }, 'payment delivered');
    }
    await sleep(500, undefined, { signal });
  }
}
