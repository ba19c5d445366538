import type { Bench } from './bench.ts';
import { applyLoad, CONNECTIONS, type Load } from './load.ts';
import { serverCoreBusyTime } from './machine.ts';
import type { Server } from './server.ts';

/** What one round says about one subject. */
export interface Sample {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99?: number;
  /** CPU time of the server per request, in microseconds; NaN where /proc has none. */
  readonly cpu: number;
  /** The part of the server's core that other processes used, from 0 to 1. */
  readonly disturbance?: number;
}

export interface Subject {
  readonly name: string;
  /** Runs it for about this long. */
  run(seconds: number): Promise<Sample>;
  /** In bytes, the most it ever had. */
  peakMemory?(): number;
}

/** A server under load. */
export interface Loaded extends Subject {
  readonly server: LoadedServer;
}

type LoadedServer = Pick<Server, 'name' | 'origin' | 'cpuTime' | 'peakMemory'> & Partial<Pick<Server, 'pid'>>;

export interface Measured {
  readonly name: string;
  readonly samples: readonly Sample[];
  readonly peakMemory: number;
}

/** Until V8 has compiled what is slow: by requests, which a busy machine has fewer of in a second. */
const WARM_UP = { seconds: 1, requests: 20_000, most: 5 };

/** Warms every subject up, then runs one after the other in each round, in an order that changes. */
export async function measure(
  bench: Bench,
  title: string,
  subjects: readonly Subject[],
): Promise<Measured[]> {
  for (const subject of subjects) {
    bench.signal.throwIfAborted();
    bench.step(`${title}: warming up ${subject.name}`);
    for (let done = 0, times = 0; done < WARM_UP.requests && times < WARM_UP.most; times += 1)
      done += (await subject.run(WARM_UP.seconds)).requests;
  }
  const samples = new Map<Subject, Sample[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < bench.rounds; round += 1) {
    const start = round % subjects.length;
    for (const subject of [...subjects.slice(start), ...subjects.slice(0, start)]) {
      bench.signal.throwIfAborted();
      bench.step(`${title}: round ${round + 1} of ${bench.rounds}, ${subject.name}`);
      samples.get(subject)?.push(await subject.run(bench.seconds));
    }
  }
  return subjects.map((subject) => ({
    name: subject.name,
    samples: samples.get(subject) ?? [],
    peakMemory: subject.peakMemory?.() ?? Number.NaN,
  }));
}

export interface HttpLoad extends Omit<Load, 'origin'> {
  /** Whether every answer must be below 400, or none. */
  readonly outcome: 'success' | 'failure';
}

/** A server under load. Cancels go on with the next order in every round, so that each is cancelled once. */
export function underLoad(bench: Bench, server: LoadedServer, load: HttpLoad): Loaded {
  let { firstId } = load;
  const clocks = () => [server.cpuTime(), serverCoreBusyTime(), performance.now() * 1000];
  return {
    name: server.name,
    server,
    peakMemory: () => server.peakMemory(),
    async run(seconds) {
      const before = clocks();
      const report = await applyLoad(
        bench,
        { ...load, origin: server.origin, ...(firstId !== undefined && { firstId }) },
        seconds,
      );
      const used = clocks().map((clock, index) => clock - (before[index] ?? Number.NaN));
      const [cpu = 0, core = 0, elapsed = 0] = used;
      const { requests, failures, broken } = report;
      // The limiter that stands in where Redis is late lets some of a quota through that is used up.
      const isExpected = load.outcome === 'success' ? failures === 0 : requests - failures < requests / 500;
      if (broken > 0 || !isExpected) {
        throw new Error(
          `${server.name}: of ${requests} requests ${failures} were answered with 400 or above, and ${broken} not at all`,
        );
      }
      if (firstId !== undefined) firstId += requests + 2 * CONNECTIONS;
      return {
        requests,
        perSecond: requests / report.seconds,
        p99: report.p99,
        cpu: cpu / requests,
        disturbance: Math.max(0, core - cpu) / elapsed,
      };
    },
  };
}
