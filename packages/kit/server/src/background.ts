import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Background, Features, Services } from './feature.ts';
import type { Metrics } from './metrics.ts';
import type { Store } from './store/store.ts';

/** How long a crashed work waits before it starts again, in milliseconds: twice as long after each crash. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

export interface BackgroundOptions {
  readonly features: Features;
  /** The services of a feature, by default with the transactions of `store`. */
  readonly servicesOf: (feature: string, transaction?: Store['transaction']) => Services<unknown>;
  readonly store: Pick<Store, 'runAlone' | 'transaction'>;
  readonly metrics: Pick<Metrics, 'countBackgroundFailures'>;
  readonly log: Logger;
}

/** Starts the background work of all features. The function that it returns stops it, and waits at most `grace` ms. */
export function startBackground({ features, servicesOf, store, metrics, log }: BackgroundOptions) {
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  const works = Object.entries(features).flatMap(([name, { background }]) =>
    background ? [[name, background] as const] : [],
  );
  const failures = works.length > 0 ? metrics.countBackgroundFailures() : undefined;
  for (const [feature, background] of works) {
    const { log: featureLog } = servicesOf(feature);
    const onCrash = (err: unknown, pause: number) => {
      failures?.inc({ feature });
      featureLog.error({ err, startsAgainInMs: pause }, 'background work crashed');
    };
    const work = runnerOf(feature, background as Background<Services<unknown>>, { servicesOf, store });
    const done = untilDone(work, stopping.signal, onCrash).finally(() => running.delete(feature));
    running.set(feature, done);
  }

  return async (grace: number): Promise<void> => {
    stopping.abort();
    const patience = new AbortController();
    const timeUp = sleep(grace, undefined, patience).catch(() => undefined);
    await Promise.race([Promise.all(running.values()), timeUp]);
    patience.abort();
    if (running.size > 0)
      log.warn({ features: [...running.keys()] }, 'background work ran on at the end of the grace period');
  };
}

type Run = (signal: AbortSignal) => Promise<void>;

function runnerOf(
  feature: string,
  background: Background<Services<unknown>>,
  { servicesOf, store }: Pick<BackgroundOptions, 'servicesOf' | 'store'>,
): Run {
  if (typeof background === 'function') {
    const services = servicesOf(feature);
    return async (signal) => background(services, signal);
  }
  return (signal) =>
    store.runAlone(feature, signal, async (alone, check) => {
      const transaction: Store['transaction'] = (work) =>
        store.transaction(async (stores, query) => {
          const result = await work(stores, query);
          await check(query);
          return result;
        });
      await background.run(servicesOf(feature, transaction), alone);
    });
}

/** Runs `work` until it resolves or `signal` aborts, again after each crash. Never rejects. */
async function untilDone(work: Run, signal: AbortSignal, onCrash: (error: unknown, pause: number) => void) {
  let pause = FIRST_PAUSE;
  while (!signal.aborted) {
    const startedAt = performance.now();
    try {
      await work(signal);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (performance.now() - startedAt > LONGEST_PAUSE) pause = FIRST_PAUSE;
      onCrash(error, pause);
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
  }
}
