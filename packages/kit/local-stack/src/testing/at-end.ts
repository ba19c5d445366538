type Stop = () => Promise<unknown>;

const services: Stop[] = [];
const databases: Stop[] = [];

/** Calls `stop` at the end of the suite: first for services, then for their databases. */
export function stopAtEnd(kind: 'service' | 'database', stop: Stop): void {
  (kind === 'service' ? services : databases).push(stop);
}

async function stopAll(): Promise<void> {
  for (const kind of [services, databases]) await Promise.all(kind.splice(0).map((stop) => stop()));
}

afterAll(stopAll);
