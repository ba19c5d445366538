import { version } from './version.ts';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/* What `/metrics` shows. Labels are operations, statuses and plans: a bounded number, never what clients send. */

export const registry = new Registry();
collectDefaultMetrics({ register: registry });

const registers = [registry];

new Gauge({
  name: 'petstore_build_info',
  help: 'Always 1, with the version of the program and of Node.js.',
  labelNames: ['version', 'node'],
  registers,
}).set({ version, node: process.version }, 1);

export const requests = new Counter({
  name: 'petstore_requests_total',
  help: 'Requests answered, by operation and status.',
  labelNames: ['operation', 'status'],
  registers,
});

export const durations = new Histogram({
  name: 'petstore_request_duration_seconds',
  help: 'Time from the arrival of a request to the end of its answer.',
  labelNames: ['operation'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers,
});

export const refusals = new Counter({
  name: 'petstore_refusals_total',
  help: 'Requests refused with 429, by code and plan; the plan is "none" for an address.',
  labelNames: ['code', 'plan'],
  registers,
});

export const bans = new Counter({
  name: 'petstore_bans_total',
  help: 'API keys banned, by plan.',
  labelNames: ['plan'],
  registers,
});

export const refusedConnections = new Counter({
  name: 'petstore_refused_connections_total',
  help: 'Connections refused: there were MAX_CONNECTIONS, or too many requests on one waited for answers.',
  registers,
});

export const logFailures = new Counter({
  name: 'petstore_log_failures_total',
  help: 'Failed writes of the log to standard output, and log lines dropped because it takes nothing.',
  registers,
});

export const limiterFallback = new Gauge({
  name: 'petstore_limiter_fallback',
  help: '1 while Redis does not answer and this instance limits alone, else 0.',
  registers,
});

/** Shows the connections of clients as they are when the metrics are read. */
export function observeConnections(count: () => { open: number; busy: number }): void {
  const help = 'Connections of clients, by state; "busy" ones wait for an answer.';
  observeStates('petstore_connections', help, () => {
    const { open, busy } = count();
    return { busy, idle: open - busy };
  });
}

/** Shows the connections of a pool as they are when the metrics are read. */
export function observePool(pool: { totalCount: number; idleCount: number; waitingCount: number }): void {
  const help = 'Connections to the database, by state; "waiting" counts requests that wait for one.';
  observeStates('petstore_database_connections', help, () => ({
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }));
}

/** Each service that is started in this process takes the place of the one before. */
function observeStates(name: string, help: string, count: () => Record<string, number>): void {
  registry.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, number] of Object.entries(count())) this.set({ state }, number);
    },
  });
}
