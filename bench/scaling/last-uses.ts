import { TOUCH_SLICE } from '../../apps/server/src/keys/key-ring.ts';
import { TOUCH_INTERVAL } from '../../apps/server/src/keys/key-store.ts';
import { openPostgresStore } from '../../apps/server/src/store/open-postgres-store.ts';

const INSTANCES = 4;

/**
 * How long PostgreSQL is busy with the last uses of `count` of the keys at `url`, in milliseconds: noted by one
 * instance, and by four at once of which each has met all of them.
 */
export async function timeOfLastUses(url: string, count: number): Promise<{ one: number; four: number }> {
  const stores = await Promise.all(
    Array.from({ length: INSTANCES }, () => openPostgresStore({ url, onError: () => {} })),
  );
  try {
    const ids = (await stores[0]?.keys.list())?.slice(0, count).map(({ id }) => id) ?? [];
    let at = Date.now();
    const note = async (instances: number) => {
      at += TOUCH_INTERVAL;
      const started = performance.now();
      await Promise.all(
        stores.slice(0, instances).map(async ({ keys }) => {
          for (let start = 0; start < ids.length; start += TOUCH_SLICE) {
            await keys.touch(ids.slice(start, start + TOUCH_SLICE), new Date(at));
          }
        }),
      );
      return performance.now() - started;
    };
    return { one: await note(1), four: await note(INSTANCES) };
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
}
