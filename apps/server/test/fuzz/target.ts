import { generateApiKey } from '../../src/keys/api-key.ts';
import { startTestService } from '../support/service.ts';
import type { Target } from './fuzz.ts';

const PLENTY = { perMinute: 1_000_000_000, perDay: 1_000_000_000 };
const RECORDS = 40;

/**
 * The real service as it runs in production, where no reply is checked before it leaves. It holds records with small
 * ids in every state there is, so that small numbers are likely to be ids of something. `handlers` stand in for its own.
 */
export async function startTarget(
  handlers?: object,
): Promise<Target & { dataDir: string; stop(): Promise<void> }> {
  const service = await startTestService({ checksReplies: false, ...(handlers && { handlers }) });
  const statuses = ['pending', 'shipped', 'cancelled'] as const;
  const ids = Array.from({ length: RECORDS }, (_, index) => index + 1);
  await service.addOrders(
    ids.map((id) => ({
      id,
      ...(id % 2 === 0 && { petId: id, quantity: id % 5, complete: id % 4 === 0 }),
      ...(id % 5 === 0 && { shipDate: '2026-11-24T09:00:00.000Z' }),
      status: statuses[id % statuses.length] ?? 'pending',
    })),
  );
  await service.addPets(ids.map((id) => (id % 2 === 0 ? { id, name: `Pet \u{1f436} ${id}` } : { id })));
  return {
    origin: service.origin,
    // The unknown one has the right form and checksum: only the store can tell.
    keys: { valid: await service.key('enterprise', PLENTY), unknown: generateApiKey() },
    limitedKey: (perMinute) => service.key('enterprise', { ...PLENTY, perMinute }),
    advance: (milliseconds) => service.clock.advance(milliseconds),
    dataDir: service.dataDir,
    stop: () => service.stop(),
  };
}
