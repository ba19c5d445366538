import type { Logger } from 'pino';
import { meaningOf, reasonOf } from '../operator-error.ts';
import { sqlstateOf } from './postgres/sqlstate.ts';
import { StoreUnavailable } from './store-unavailable.ts';

/** How often a failed database is retried, and how long a result is cached, in milliseconds. */
const INTERVAL = 1_000;

export interface DatabaseHealth {
  /** Why the database cannot serve requests, without secrets; undefined if it can. */
  fault(): Promise<string | undefined>;
  readonly failed: (error: StoreUnavailable) => void;
  close(): void;
}

export interface HealthOptions {
  /** Reads and writes the database after `fault`. Rejects with StoreUnavailable. */
  readonly ping: (fault?: unknown) => Promise<void>;
  readonly log: Logger;
}

/** Logs once when the database is lost, and why, and once when it is back. */
export function watchDatabase({ ping, log }: HealthOptions): DatabaseHealth {
  let lost: StoreUnavailable | undefined;
  let refused = 0;
  let timer: NodeJS.Timeout | undefined;
  let lastCheck: { readonly at: number; readonly answer: Promise<void> } | undefined;

  function failed(error: StoreUnavailable): void {
    refused += 1;
    // A damaged page stays damaged, even if others can be read.
    if (lost && (lost.message === error.message || isDamaged(lost))) return;
    lost = error;
    log.error(
      { err: error.cause, code: 'service_unavailable' },
      `database lost: ${reasonOf(error.cause)}; requests that need it get 503`,
    );
    timer ??= setInterval(() => void check().catch(() => undefined), INTERVAL).unref();
  }

  async function check(): Promise<void> {
    try {
      await ping(lost?.cause);
      if (!lost || isDamaged(lost)) return;
      log.info({ refused }, 'database back: requests are served again');
      clearInterval(timer);
      lost = timer = undefined;
      refused = 0;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      failed(error);
    }
  }

  return {
    failed,
    async fault() {
      const now = performance.now();
      if (!lastCheck || now - lastCheck.at > INTERVAL) lastCheck = { at: now, answer: check() };
      await lastCheck.answer;
      return lost && (meaningOf(lost.cause) ?? reasonByCode(lost.cause));
    },
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
