type Stop = () => Promise<unknown>;

const services: Stop[] = [];
const databases: Stop[] = [];

/** Has `stop` called after the tests of the suite that it is started in: services first, then what they work on. */
export function stopAtEnd(kind: 'service' | 'database', stop: Stop): void {
  (kind === 'service' ? services : databases).push(stop);
}

async function stopAll(): Promise<void> {
  for (const kind of [services, databases]) await Promise.all(kind.splice(0).map((stop) => stop()));
}

afterAll(stopAll);
