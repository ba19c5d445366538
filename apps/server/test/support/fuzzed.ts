import { createFuzzer } from '@kit/server/fuzzer';
import { petstore } from './petstore.ts';
import { startTestService } from './service.ts';

export const fuzzer = createFuzzer(petstore.contract);

/**
 * The petstore as it runs in production, with records in every state and with small ids, because the fuzzer likes small
 * numbers. `handlers` replace handlers of the features.
 */
export async function startTarget(handlers?: Readonly<Record<string, unknown>>) {
  const service = await startTestService({ validatesResponses: false, ...(handlers && { handlers }) });
  const statuses = ['pending', 'shipped', 'cancelled'] as const;
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  await service.addOrders(
    ids.map((id) => ({
      id,
      ...(id % 2 === 0 && { petId: id, quantity: id % 5, complete: id % 4 === 0 }),
      ...(id % 5 === 0 && { shipDate: '2026-11-24T09:00:00.000Z' }),
      status: statuses[id % statuses.length] ?? 'pending',
    })),
  );
  await service.addPets(ids.map((id) => (id % 2 === 0 ? { id, name: `Pet \u{1f436} ${id}` } : { id })));
  return { ...(await fuzzer.targetOf(service)), stop: () => service.stop() };
}
