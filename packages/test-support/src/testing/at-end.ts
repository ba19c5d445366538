type Stop = () => Promise<unknown>;

const services: Stop[] = [];
const databases: Stop[] = [];

/** Calls `stop` at the end of the suite: first for services, then for their databases. */
export function stopAtEnd(kind: 'service' | 'database', stop: Stop): void {
  (kind === 'service' ? services : databases).push(stop);
}

/** `start`, whose service stops with the suite. */
export function stopped<Options, Service extends { stop(): Promise<unknown> }>(
  start: (options?: Options) => Promise<Service>,
): (options?: Options) => Promise<Service> {
  return async (options) => {
    const service = await start(options);
    stopAtEnd('service', () => service.stop());
    return service;
  };
}

async function stopAll(): Promise<void> {
  for (const kind of [services, databases]) await Promise.all(kind.splice(0).map((stop) => stop()));
}

// Programs that tests start use these helpers too, without a suite.
if (typeof afterAll === 'function') afterAll(stopAll);
