import type { Claim, Outcome } from './claim.ts';

/** How often the database is tried again, in milliseconds. */
const INTERVAL = 1_000;
/** For how long a statement whose response was lost may still be executed, in milliseconds after the database is back. */
const DOUBT = 10_000;

interface Entry {
  readonly claim: Claim;
  readonly outcome: Outcome;
  /** Whether the claim may be made only after it was released. */
  readonly isDoubtful: boolean;
  /** `performance.now()` when its outcome was first stored. */
  storedAt?: number;
}

/** Claims whose outcomes could not be stored, because the database failed. */
export interface Unsettled {
  add(claim: Claim, outcome: Outcome): void;
  /** Adds a claim that may have been made, although the database failed: it is released. */
  addDoubtful(claim: Claim): void;
  /** Stores the outcomes of the key `id`. Rejects as `store` does. */
  settle(id: string): Promise<void>;
  /** Tries all once more, and then forgets them. */
  close(): Promise<void>;
}

/** Tries to `store` outcomes until it succeeds. */
export function createUnsettled(store: (claim: Claim, outcome: Outcome) => Promise<unknown>): Unsettled {
  const entries = new Map<string, Entry>();
  let timer: NodeJS.Timeout | undefined;
  let isTrying = false;

  async function settle(entry: Entry): Promise<void> {
    await store(entry.claim, entry.outcome);
    entry.storedAt ??= performance.now();
    if (!entry.isDoubtful || performance.now() - entry.storedAt > DOUBT) entries.delete(entry.claim.token);
  }

  async function tryAll(): Promise<void> {
    if (isTrying) return;
    isTrying = true;
    try {
      for (const entry of [...entries.values()]) await settle(entry);
    } catch {
      // The database has not come back.
    }
    isTrying = false;
    if (entries.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function add(entry: Entry): void {
    entries.set(entry.claim.token, entry);
    timer ??= setInterval(() => void tryAll(), INTERVAL).unref();
  }

  return {
    add: (claim, outcome) => add({ claim, outcome, isDoubtful: false }),
    addDoubtful: (claim) => add({ claim, outcome: 'release', isDoubtful: true }),
    async settle(id) {
      for (const entry of [...entries.values()]) if (entry.claim.id === id) await settle(entry);
    },
    async close() {
      await tryAll();
      clearInterval(timer);
      entries.clear();
    },
  };
}
