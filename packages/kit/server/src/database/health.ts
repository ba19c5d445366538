import type { Logger } from 'pino';
import { adviceFor, reasonOf } from '../operator-error.ts';
import { sqlstateOf } from './postgres/sqlstate.ts';
import { StoreUnavailable } from './store-unavailable.ts';

/** How often a failed database is retried, in milliseconds. */
const INTERVAL = 1_000;

export interface DatabaseHealth {
  /**
   * Why the database cannot serve requests, without secrets; undefined if it could at most `age` milliseconds ago, by
   * default a second.
   */
  fault(age?: number): Promise<string | undefined>;
  /** Whether it failed, and no check has succeeded since. */
  readonly isLost: () => boolean;
  readonly failed: (error: StoreUnavailable) => void;
  close(): void;
}

export interface HealthOptions {
  /** Reads and writes the database after `fault`. Rejects with StoreUnavailable. */
  readonly ping: (fault?: unknown) => Promise<void>;
  readonly log: Logger;
}

/** Logs when the database is lost, each reason once, and once when it is back. */
export function watchDatabase({ ping, log }: HealthOptions): DatabaseHealth {
  let lost: StoreUnavailable | undefined;
  /** The messages since then: connections that fail at once do so in several ways. */
  const logged = new Set<string>();
  let refused = 0;
  let timer: NodeJS.Timeout | undefined;
  let lastCheck: { endedAt: number; readonly answer: Promise<void> } | undefined;

  function failed(error: StoreUnavailable): void {
    refused += 1;
    // A damaged page stays damaged, even if others can be read.
    if (lost && (lost.message === error.message || isDamaged(lost))) return;
    lost = error;
    timer ??= setInterval(() => void check().catch(() => undefined), INTERVAL).unref();
    if (logged.has(error.message)) return;
    logged.add(error.message);
    log.error(
      { err: error.cause, code: 'service_unavailable' },
      `database lost: ${reasonOf(error.cause)}; requests that need it get 503`,
    );
  }

  async function check(): Promise<void> {
    try {
      await ping(lost?.cause);
      if (!lost || isDamaged(lost)) return;
      log.info({ refused }, 'database back: requests are served again');
      clearInterval(timer);
      lost = timer = undefined;
      logged.clear();
      refused = 0;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      failed(error);
    }
  }

  /** The last check, or a new one if that ended more than `age` milliseconds ago. */
  function recentCheck(age: number): Promise<void> {
    if (!lastCheck || performance.now() - lastCheck.endedAt > age) {
      const answer = check().finally(() => (started.endedAt = performance.now()));
      const started = { endedAt: Infinity, answer };
      lastCheck = started;
    }
    return lastCheck.answer;
  }

  return {
    failed,
    async fault(age = INTERVAL) {
      await recentCheck(age);
      return lost && (adviceFor(lost.cause) ?? reasonByCode(lost.cause));
    },
    isLost: () => lost !== undefined,
    close() {
      clearInterval(timer);
    },
  };
}

/** PostgreSQL's messages may name users and tables, so they only go to the log. */
function reasonByCode(cause: unknown): string {
  const code = sqlstateOf(cause);
  return code === undefined ? 'it does not respond' : `it fails with SQLSTATE ${code}: see the log`;
}

function isDamaged({ cause }: StoreUnavailable): boolean {
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test((cause as { code?: string }).code ?? '');
}
