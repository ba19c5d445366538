import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The metrics. Labels are operations, statuses and plans: bounded, never sent by clients. */
export function createMetrics({ name, version }: { readonly name: string; readonly version: string }) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  const settings = <Label extends string>(metric: string, help: string, ...labelNames: Label[]) => ({
    // Metric names have no hyphens.
    name: `${name.replaceAll('-', '_')}_${metric}`,
    help,
    labelNames,
    registers: [registry],
  });
  const counter = <Label extends string>(...text: Parameters<typeof settings<Label>>) =>
    new Counter(settings(...text));

  /** A gauge of numbers by state, read on each scrape. */
  function observeStates(metric: string, help: string, count: () => Record<string, number>): void {
    new Gauge({
      ...settings(metric, help, 'state'),
      collect() {
        for (const [state, number] of Object.entries(count())) this.set({ state }, number);
      },
    });
  }

  const build = 'Always 1, with the version of the program and of Node.js.';
  new Gauge(settings('build_info', build, 'version', 'node')).set({ version, node: process.version }, 1);
  const duration = 'Time from the arrival of a request to the end of its response.';
  const fallback = '1 while Redis does not respond and this instance limits alone, else 0.';
  return {
    registry,
    requests: counter('requests_total', 'Responses, by operation and status.', 'operation', 'status'),
    durations: new Histogram({
      ...settings('request_duration_seconds', duration, 'operation'),
      buckets: BUCKETS,
    }),
    refusals: counter(
      'refusals_total',
      'Requests rejected with 429, by code and plan; the plan is "none" for an address.',
      'code',
      'plan',
    ),
    bans: counter('bans_total', 'API keys banned, by plan.', 'plan'),
    refusedConnections: counter(
      'refused_connections_total',
      'Connections refused: there were MAX_CONNECTIONS, or too many pipelined requests waited on one.',
    ),
    logFailures: counter(
      'log_failures_total',
      'Failed writes of the log to standard output, and log lines dropped because its reader is stalled.',
    ),
    countUncaughtErrors: () =>
      counter('uncaught_errors_total', 'Errors that nothing caught. The first one stops the service.'),
    countBackgroundFailures: () =>
      counter('background_failures_total', 'Crashes of background work, by feature.', 'feature'),
    countJobFailures(names: readonly string[]) {
      // Not `job`, which Prometheus sets itself.
      const failures = counter('job_failures_total', 'Runs of jobs that failed, by name.', 'name');
      for (const name of names) failures.inc({ name }, 0);
      return failures;
    },
    countSkippedTicks(names: readonly string[]) {
      const skipped = 'Ticks of schedules that added no job: the last run had not ended, or it was too late.';
      const skips = counter('job_ticks_skipped_total', skipped, 'name');
      for (const name of names) skips.inc({ name }, 0);
      return skips;
    },
    /** Jobs in the database, read on each scrape. While it fails there are none. */
    observeJobs(
      names: readonly string[],
      count: () => Promise<{ name: string; state: string; count: number; oldest: number | null }[]>,
    ): void {
      let reading: ReturnType<typeof count> | undefined;
      /** One query for both gauges. */
      const read = () => (reading ??= count().finally(() => (reading = undefined))).catch(() => undefined);
      new Gauge({
        ...settings('jobs', 'Jobs in the database, by name and state.', 'name', 'state'),
        async collect() {
          const rows = await read();
          this.reset();
          if (!rows) return;
          for (const name of names)
            for (const state of ['waiting', 'running', 'dead']) this.set({ name, state }, 0);
          for (const { name, state, count } of rows) this.set({ name, state }, count);
        },
      });
      const age = 'How long the oldest job that could run waits, in seconds, by name.';
      new Gauge({
        ...settings('jobs_oldest_seconds', age, 'name'),
        async collect() {
          const rows = await read();
          this.reset();
          if (!rows) return;
          for (const name of names) this.set({ name }, 0);
          for (const { name, oldest } of rows) if (oldest !== null) this.set({ name }, oldest / 1000);
        },
      });
    },
    limiterFallback: new Gauge(settings('limiter_fallback', fallback)),
    observeConnections(count: () => { open: number; busy: number }): void {
      const help = 'Connections of clients, by state; "busy" ones wait for a response.';
      observeStates('connections', help, () => {
        const { open, busy } = count();
        return { busy, idle: open - busy };
      });
    },
    observeStreams(count: () => number): void {
      new Gauge({
        ...settings('open_streams', 'Streams of items under way.'),
        collect() {
          this.set(count());
        },
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
