import { contextOf, type HandlerContext } from '@contract-kit/server';
import type { Section } from './report.ts';
import { estimate, format, formatSpread } from './statistics.ts';

/** Two forms alternate, each with 200,000 calls in all. */
const ROUNDS = 200;
const CALLS = 1_000;
const WARM_UP = 50;

interface Input {
  readonly path: { readonly id: number };
}
type Handler = (input: Input, context?: HandlerContext) => object;
type Request = Parameters<typeof contextOf>[0];

/** Handlers that use their input alone. There are several, so that none is compiled into its caller. */
const handlers: readonly Handler[] = [
  ({ path }) => ({ status: 200, body: path }),
  ({ path: { id } }) => ({ status: 200, body: { id } }),
  ({ path }) => ({ status: 201, body: { ...path } }),
  (input) => ({ status: 202, body: input.path }),
];
const requests = Array.from({ length: CALLS }, () => ({ res: {} }) as unknown as Request);

const forms = {
  without: (handle: Handler, input: Input) => handle(input),
  with: (handle: Handler, input: Input, req: Request) => handle(input, contextOf(req)),
};

/** What a handler that reads nothing of its context pays for it, in nanoseconds per call. */
export function measureEdges(): Section {
  const times = { without: [] as number[], with: [] as number[] };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const order = round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const);
    for (const form of order) {
      const time = timeOf(forms[form]);
      if (round >= WARM_UP) times[form].push(time);
    }
  }
  const more = times.with.map((time, round) => time - (times.without[round] ?? Number.NaN));
  const { low, high } = estimate(more);
  return {
    title: 'Edges',
    note: 'A handler that uses its input alone, called with and without a context, in turns in one process: 200,000 calls of each. A request takes more than 60,000 ns.',
    head: ['', 'ns/call', '95 % interval'],
    rows: [
      ['without', formatSpread(times.without), ''],
      ['with', formatSpread(times.with), ''],
      ['difference', formatSpread(more), `${format(low)}–${format(high)}`],
    ],
  };
}

function timeOf(form: (handle: Handler, input: Input, req: Request) => object): number {
  const started = performance.now();
  for (const [call, req] of requests.entries())
    form(handlers[call % handlers.length] as Handler, { path: { id: call } }, req);
  return ((performance.now() - started) * 1e6) / CALLS;
}
