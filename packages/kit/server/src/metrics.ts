import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** The metrics. Labels are operations, statuses and plans: bounded, never sent by clients. */
export function createMetrics({ name, version }: { readonly name: string; readonly version: string }) {
  const registry = new Registry();
  const registers = [registry];
  // Metric names have no hyphens.
  const named = (metric: string) => `${name.replaceAll('-', '_')}_${metric}`;
  collectDefaultMetrics({ register: registry });

  new Gauge({
    name: named('build_info'),
    help: 'Always 1, with the version of the program and of Node.js.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1);

  /** A gauge of numbers by state, read on each scrape. */
  function observeStates(metric: string, help: string, count: () => Record<string, number>): void {
    new Gauge({
      name: named(metric),
      help,
      labelNames: ['state'],
      registers,
      collect() {
        for (const [state, number] of Object.entries(count())) this.set({ state }, number);
      },
    });
  }

  return {
    registry,
    requests: new Counter({
      name: named('requests_total'),
      help: 'Responses, by operation and status.',
      labelNames: ['operation', 'status'],
      registers,
    }),
    durations: new Histogram({
      name: named('request_duration_seconds'),
      help: 'Time from the arrival of a request to the end of its response.',
      labelNames: ['operation'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    refusals: new Counter({
      name: named('refusals_total'),
      help: 'Requests rejected with 429, by code and plan; the plan is "none" for an address.',
      labelNames: ['code', 'plan'],
      registers,
    }),
    bans: new Counter({
      name: named('bans_total'),
      help: 'API keys banned, by plan.',
      labelNames: ['plan'],
      registers,
    }),
    refusedConnections: new Counter({
      name: named('refused_connections_total'),
      help: 'Connections refused: there were MAX_CONNECTIONS, or too many pipelined requests waited on one.',
      registers,
    }),
    logFailures: new Counter({
      name: named('log_failures_total'),
      help: 'Failed writes of the log to standard output, and log lines dropped because its reader is stalled.',
      registers,
    }),
    limiterFallback: new Gauge({
      name: named('limiter_fallback'),
      help: '1 while Redis does not respond and this instance limits alone, else 0.',
      registers,
    }),
    observeConnections(count: () => { open: number; busy: number }): void {
      const help = 'Connections of clients, by state; "busy" ones wait for a response.';
      observeStates('connections', help, () => {
        const { open, busy } = count();
        return { busy, idle: open - busy };
      });
    },
    observePool(pool: { totalCount: number; idleCount: number; waitingCount: number }): void {
      const help = 'Connections to the database, by state; "waiting" counts requests that wait for one.';
      observeStates('database_connections', help, () => ({
        busy: pool.totalCount - pool.idleCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount,
      }));
    },
  };
}
